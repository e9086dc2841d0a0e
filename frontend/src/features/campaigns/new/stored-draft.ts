import { draftFieldsSchema } from '@parley/contracts/campaigns/campaign-fields'
import { z } from 'zod'
import { readSessionValue, writeSessionValue } from '../../../lib/session-storage.ts'
import { draftValues } from './draft.ts'

/** A draft that is begun at the server: tried once more with the same key, so that one press makes one. */
const creationSchema = z.object({ key: z.string(), fields: draftFieldsSchema })
export type Creation = z.infer<typeof creationSchema>

const keptSchema = z.object({
  values: draftValues,
  /** What the server had when this was written; absent of a draft that it has not answered for. */
  base: z.object({ version: z.number(), fields: draftFieldsSchema }).optional(),
  creation: creationSchema.optional(),
})
export type StoredCampaignDraft = z.infer<typeof keptSchema>

const nameOf = (id: string | undefined) => `broadcast ${id ?? 'new'}`

/** What of a draft has not reached the server: it outlives a reload of the page. @param id absent of a new one. */
export const readStoredCampaignDraft = (id: string | undefined): StoredCampaignDraft | undefined =>
  readSessionValue(nameOf(id), keptSchema)

/** Keeps it, or forgets it once it has reached the server or is not wanted. */
export const storeCampaignDraft = (id: string | undefined, kept: StoredCampaignDraft | undefined): void =>
  writeSessionValue(nameOf(id), kept)
