// Original file: protos/mainspring/memory_brain/v1/memory_brain.proto


export interface PromoteDraftRequest {
  'space_id'?: (string);
  /**
   * ConceptType or PredicateType.
   */
  'kind'?: (string);
  'from'?: (string);
  'to'?: (string);
}

export interface PromoteDraftRequest__Output {
  'space_id': (string);
  /**
   * ConceptType or PredicateType.
   */
  'kind': (string);
  'from': (string);
  'to': (string);
}
