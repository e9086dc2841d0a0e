import { z } from 'zod'
import { idSchema, timeSchema } from '../core/records.ts'
import { eventData } from './event-data.ts'
import { snapshotSchema } from './event-snapshots.ts'

export type EventType = keyof typeof eventData
const eventTypes = Object.keys(eventData) as EventType[]

/** Cause of an event. */
export const actorSchema = z.object({
  kind: z.enum(['user', 'contact', 'bot', 'workflow', 'campaign', 'api_key', 'system']),
  id: idSchema.optional(),
  runId: idSchema.optional(),
  nodeId: idSchema.optional(),
})

/** Fields that a change supplies. `recordedAt`, `id` and, after the commit, `seq` are added. */
const newEventFields = {
  workspaceId: idSchema,
  type: z.enum(eventTypes),
  /** Time at which it happened at its source; else that at which it was recorded. */
  at: timeSchema.optional(),
  /** The record that it is about: its events keep the order of `version`. */
  recordId: idSchema.optional(),
  version: z.number().int().positive().optional(),
  contactId: idSchema.optional(),
  conversationId: idSchema.optional(),
  by: actorSchema,
  /** Ids of the events that led to this one, the first one first: what limits loops between automations. */
  chain: z.array(idSchema).max(16).default([]),
  data: z.record(z.string(), z.unknown()),
  /** Contact and conversation as they were, for events that start or move automations. */
  snapshot: snapshotSchema.optional(),
}

const checkData = (event: { type: EventType; data: unknown }, issues: z.core.$RefinementCtx) => {
  const { error } = eventData[event.type].safeParse(event.data)
  for (const { path, message } of error?.issues ?? []) {
    issues.addIssue({ code: 'custom', path: ['data', ...path], message })
  }
}

/** An event before it is recorded. */
export const newEventSchema = z.strictObject(newEventFields).superRefine(checkData)

/** A recorded event: numbers are gap-free within a workspace and follow the order of commits. */
export const eventSchema = z
  .object({ ...newEventFields, id: idSchema, seq: z.number().int().positive(), at: timeSchema, recordedAt: timeSchema })
  .superRefine(checkData)

type Typed<T extends EventType> = { type: T; data: z.infer<(typeof eventData)[T]> }
type TypedEvent = { [T in EventType]: Typed<T> }[EventType]
/** An event to be recorded, its data in the shape of its type. */
export type NewEvent = Omit<z.input<typeof newEventSchema>, 'type' | 'data'> & TypedEvent
export type RecordedEvent = Omit<z.infer<typeof eventSchema>, 'type' | 'data'> & TypedEvent
