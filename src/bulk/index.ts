/**
 * Imports pets from files, streams and iterables, and exports them.
 *
 * @module petstore/bulk
 */
export { importPets } from './import-pets.js';
export type { ImportPetsOptions, ImportProgress, ImportResult } from './import-pets.js';
export { exportPets } from './export-pets.js';
export type { ExportOptions, ExportResult, WritableLike } from './export-pets.js';
export type { PetSource } from './input/pet-source.js';
export type { ImportStopped, OnUnknown, RowCounts, StopReason, UnknownRow } from './job/import-job.js';
export type { RejectedFile } from './rows/rejected-file.js';
export type { InputNote, Row, RowError, RowFormat, RowPet } from './rows/row.js';
