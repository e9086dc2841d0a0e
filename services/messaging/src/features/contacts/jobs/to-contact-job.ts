import type { ContactJob } from '@parley/contracts/contact-jobs'
import { type JobRecord, toJob } from '@parley/service-kit/data/job-record'
import { z } from 'zod'
import { changeInputSchema, changeKind, undoInputSchema, undoKind } from './change-input.ts'
import { exportFileName, exportInputSchema, exportResultSchema } from './export-input.ts'

const problemSchema = z.object({ problem: z.string() })
const undoneSchema = z.object({ undoneBy: z.string() })
const countsSchema = z.object({ changed: z.number().default(0), kept: z.number().default(0) })

/** A job over contacts as its endpoints answer with it. */
export function toContactJob(record: JobRecord): ContactJob {
  const { id, state, total, done, result, startedBy, createdAt, expiresAt } = toJob(record)
  const { changed, kept } = countsSchema.parse(record.checkpoint ?? {})
  return {
    id,
    task: taskOf(record),
    state,
    total,
    done,
    changed,
    kept,
    canUndo: canUndo(record),
    file: fileOf(record),
    problem: problemSchema.safeParse(result).data?.problem ?? null,
    startedBy,
    createdAt,
    expiresAt,
  }
}

function taskOf({ kind, input }: JobRecord): ContactJob['task'] {
  if (kind === changeKind) return { kind: 'change', action: changeInputSchema.parse(input).action }
  if (kind === undoKind) return { kind: 'undo', action: undoInputSchema.parse(input).action }
  return { kind: 'export', format: exportInputSchema.parse(input).format }
}

/** A change that has ended, however it did, has changed somebody, and is not taken back yet. */
export function canUndo({ kind, state, checkpoint, result }: JobRecord): boolean {
  if (kind !== changeKind || state === 'waiting' || state === 'running') return false
  return countsSchema.parse(checkpoint ?? {}).changed > 0 && !undoneSchema.safeParse(result).success
}

function fileOf({ createdAt, input, result }: JobRecord): ContactJob['file'] {
  const written = exportResultSchema.safeParse(result).data
  if (!written) return null
  return { name: exportFileName(createdAt, exportInputSchema.parse(input)), sizeBytes: written.sizeBytes }
}
