import type { Batch, FileFormat } from './batches.ts'
import type { ImportPlan } from './check-row.ts'
import type { OpenedFile } from './open-file.ts'

/** What the page asks of the worker that reads the file. */
export type Request =
  | { readonly kind: 'open'; readonly file: Blob; readonly name: string }
  | { readonly kind: 'run'; readonly file: Blob; readonly format: FileFormat; readonly plan: ImportPlan }
  /** The page has dealt with a batch and may be sent another. */
  | { readonly kind: 'more' }

export type Answer =
  | { readonly kind: 'opened'; readonly opened: OpenedFile }
  | { readonly kind: 'batch'; readonly batch: Batch }
  | { readonly kind: 'end' }
  /** A sentence for the person; none where the fault is ours or the disk's. */
  | { readonly kind: 'failed'; readonly message: string | undefined }

/** Batches that are on their way at once; the worker then waits, so that a large file never piles up in memory. */
export const batchesAhead = 4
