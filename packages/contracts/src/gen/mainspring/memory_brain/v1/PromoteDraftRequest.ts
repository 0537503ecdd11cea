// Original file: protos/mainspring/memory_brain/v1/memory_brain.proto


export interface PromoteDraftRequest {
  'space_id'?: (string);
  /**
   * ConceptType or PredicateType.
   */
  'kind'?: (string);
  'from'?: (string);
  'to'?: (string);
  'shard'?: (number);
  /**
   * Gives no right here; whoever shows one is told so.
   */
  'space_token'?: (string);
  '_shard'?: "shard";
}

export interface PromoteDraftRequest__Output {
  'space_id': (string);
  /**
   * ConceptType or PredicateType.
   */
  'kind': (string);
  'from': (string);
  'to': (string);
  'shard'?: (number);
  /**
   * Gives no right here; whoever shows one is told so.
   */
  'space_token': (string);
  '_shard'?: "shard";
}
