export { createPetStore, createPetStoreOver } from './create.js';
export type { Clock } from '../time/clock.js';
export type { KnownBudget, RateLimitWindow } from './gate/budget/known-budget.js';
export type { WindowSource } from './gate/budget/budget.js';
export { BUDGET_FOLDER_PATTERN, fileGate } from './gate/file/file-gate.js';
export type { FileGateOptions } from './gate/file/file-gate.js';
export type { GateStore, BudgetStore, Reading, Swap } from './gate/gate-store.js';
export type { IoRedisClient, NodeRedisClient, RedisClient } from './gate/redis/redis-client.js';
export { HEADER_NAME, RESERVED_HEADERS } from './call/request-headers.js';
export { memoryGate } from './gate/memory-gate.js';
export { isLoopback } from './endpoint/base-url.js';
export { resetBudget } from './gate/registry.js';
export { JsonText } from './resources/raw-request.js';
export { redisGate, type RedisGateOptions, redisGateOver } from './gate/redis/redis-gate.js';
export type {
  ApiKey,
  Call,
  CallOptions,
  CallSettings,
  Logger,
  PetStoreOptions,
  RequestHeaders,
  RequestOptions,
  ResponseInfo,
  ResponseSchema,
  RetryOptions,
  StandardSchemaProps,
  StandardSchemaResult,
  Warning,
  WithResponse,
} from './contract/options.js';
export type { ClientEvent, WaitReason } from './contract/events.js';
export type {
  FindCall,
  FindResult,
  ListAllResult,
  ListCall,
  ListQuery,
  PetStore,
  Pets,
  RequestInput,
} from './contract/pet-store.js';
export { unreadableRateLimitHeaders, unreadableText } from './response/unreadable-headers.js';
export type { Exchange, Transport, TransportRequest, TransportResponse } from './transport/transport.js';
export { headerLines, TransportFailure } from './transport/transport.js';
export type { DispatcherLike } from './transport/dispatched-exchange.js';
export type { Fetch } from './transport/fetch.js';
export { type AgentFactory, CONNECT_SIGNAL, type Http, nodeHttpTransport } from './transport/node-http.js';
export { undiciTransport } from './transport/undici.js';
