/**
 * The client, its errors, and lossless JSON.
 *
 * @module petstore
 */
export { createPetStore, fileGate, memoryGate, redisGate } from './client/internal.js';
export type {
  ApiKey,
  Call,
  CallOptions,
  CallSettings,
  ClientEvent,
  Clock,
  DispatcherLike,
  Fetch,
  FileGateOptions,
  GateStore,
  IoRedisClient,
  KnownBudget,
  BudgetStore,
  FindCall,
  FindResult,
  ListAllResult,
  ListCall,
  ListQuery,
  Logger,
  NodeRedisClient,
  PetStore,
  PetStoreOptions,
  Pets,
  RateLimitWindow,
  Reading,
  RedisClient,
  RedisGateOptions,
  RequestHeaders,
  RequestInput,
  RequestOptions,
  ResponseInfo,
  ResponseSchema,
  RetryOptions,
  StandardSchemaProps,
  StandardSchemaResult,
  Swap,
  WaitReason,
  Warning,
  WindowSource,
  WithResponse,
} from './client/internal.js';
export {
  AbortedError,
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConfigurationError,
  ConnectionError,
  InvalidInputError,
  InvalidResponseError,
  isPetStoreError,
  NotFoundError,
  PetStoreError,
  RateLimitError,
  ServerError,
  TimeoutError,
  UnknownOutcomeError,
} from './errors.js';
export type {
  ApiErrorOptions,
  Attempt,
  ErrorResponse,
  ErrorType,
  InvalidResponseErrorOptions,
  Outcome,
  PetStoreErrorOptions,
  RateLimitErrorOptions,
  RequestSummary,
} from './error-fields.js';
export type { AnyPetStoreError } from './errors.js';
export { parseJson, stringifyJson } from './schema/json.js';
export { newPetSchema, petSchema, petsSchema, petStatusSchema } from './schema/pet.js';
export { isPetStatus, PET_STATUSES, unknownFields } from './schema/pet-reader.js';
export type { NewPet, Pet, PetStatus } from './schema/pet-reader.js';
export type { Plan, RateLimit, RateWindow } from './schema/rate-limit.js';
