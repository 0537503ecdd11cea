// Original file: protos/mainspring/memory_brain/v1/memory_brain.proto

import type { Long } from '@grpc/proto-loader';

export interface Space {
  'id'?: (string);
  'owner'?: (string);
  'name'?: (string);
  'description'?: (string);
  'public'?: (boolean);
  'tier'?: (number);
  'tier_updated_at_ms'?: (number | string | Long);
  'shard'?: (number);
  'created_at_ms'?: (number | string | Long);
  'space_seq'?: (number | string | Long);
  /**
   * Concepts, propositions, conversations, status and the rest of SpaceInfo, as JSON.
   */
  'info_json'?: (string);
}

export interface Space__Output {
  'id': (string);
  'owner': (string);
  'name': (string);
  'description': (string);
  'public': (boolean);
  'tier': (number);
  'tier_updated_at_ms': (number);
  'shard': (number);
  'created_at_ms': (number);
  'space_seq': (number);
  /**
   * Concepts, propositions, conversations, status and the rest of SpaceInfo, as JSON.
   */
  'info_json': (string);
}
