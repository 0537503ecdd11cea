// Original file: protos/mainspring/memory_brain/v1/memory_brain.proto


export interface CreateSpaceRequest {
  /**
   * 1 to 64 of a-z, 0-9 and _.
   */
  'space_id'?: (string);
  /**
   * Principal that owns it.
   */
  'user'?: (string);
  /**
   * 0 to 12, absent: 2. Capacity is 10^(tier+2) Concepts or conversations.
   */
  'tier'?: (number);
  /**
   * Absent: the shard with the fewest Spaces.
   */
  'shard'?: (number);
  '_tier'?: "tier";
  '_shard'?: "shard";
}

export interface CreateSpaceRequest__Output {
  /**
   * 1 to 64 of a-z, 0-9 and _.
   */
  'space_id': (string);
  /**
   * Principal that owns it.
   */
  'user': (string);
  /**
   * 0 to 12, absent: 2. Capacity is 10^(tier+2) Concepts or conversations.
   */
  'tier'?: (number);
  /**
   * Absent: the shard with the fewest Spaces.
   */
  'shard'?: (number);
  '_tier'?: "tier";
  '_shard'?: "shard";
}
