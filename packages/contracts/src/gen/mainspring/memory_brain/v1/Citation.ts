// Original file: protos/mainspring/memory_brain/v1/memory_brain.proto


export interface Citation {
  'entity'?: (string);
  'type'?: (string);
  'name'?: (string);
  /**
   * Absent when nothing claims it.
   */
  'confidence'?: (number | string);
  'source'?: (string);
  /**
   * RFC 3339.
   */
  'created_at'?: (string);
  /**
   * The passage; empty in a probe.
   */
  'text'?: (string);
  '_confidence'?: "confidence";
}

export interface Citation__Output {
  'entity': (string);
  'type': (string);
  'name': (string);
  /**
   * Absent when nothing claims it.
   */
  'confidence'?: (number);
  'source': (string);
  /**
   * RFC 3339.
   */
  'created_at': (string);
  /**
   * The passage; empty in a probe.
   */
  'text': (string);
  '_confidence'?: "confidence";
}
