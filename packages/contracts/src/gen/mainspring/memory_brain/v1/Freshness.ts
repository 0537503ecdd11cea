// Original file: protos/mainspring/memory_brain/v1/memory_brain.proto


/**
 * An owner that cannot reach the record log answers reads from what it has and says so.
 */
export interface Freshness {
  'stale'?: (boolean);
  /**
   * RFC 3339; when what was read was last known to be the newest. Empty when not stale.
   */
  'as_of'?: (string);
}

/**
 * An owner that cannot reach the record log answers reads from what it has and says so.
 */
export interface Freshness__Output {
  'stale': (boolean);
  /**
   * RFC 3339; when what was read was last known to be the newest. Empty when not stale.
   */
  'as_of': (string);
}
