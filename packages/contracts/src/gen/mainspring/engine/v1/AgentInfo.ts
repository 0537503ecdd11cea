// Original file: protos/mainspring/engine/v1/engine.proto


export interface AgentInfo {
  'name'?: (string);
  'description'?: (string);
  'model'?: (string);
  /**
   * One `*`: every tool of the catalogue.
   */
  'tools'?: (string)[];
  'instructions'?: (string);
  /**
   * Space of its memory, or empty.
   */
  'memory'?: (string);
  'exported'?: (boolean);
  /**
   * Comes with the server or its directory of agents: nobody changes it.
   */
  'fixed'?: (boolean);
  /**
   * Why its runs would fail, such as a model that there is not; empty when nothing is known to be wrong.
   */
  'problem'?: (string);
}

export interface AgentInfo__Output {
  'name': (string);
  'description': (string);
  'model': (string);
  /**
   * One `*`: every tool of the catalogue.
   */
  'tools': (string)[];
  'instructions': (string);
  /**
   * Space of its memory, or empty.
   */
  'memory': (string);
  'exported': (boolean);
  /**
   * Comes with the server or its directory of agents: nobody changes it.
   */
  'fixed': (boolean);
  /**
   * Why its runs would fail, such as a model that there is not; empty when nothing is known to be wrong.
   */
  'problem': (string);
}
