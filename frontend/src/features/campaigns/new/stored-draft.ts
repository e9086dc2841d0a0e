import { draftFieldsSchema } from '@parley/contracts/campaigns/campaign-fields'
import { z } from 'zod'
import { readSessionValue, writeSessionValue } from '../../../lib/session-storage.ts'
import { draftValues } from './draft.ts'

/** A draft that is begun at the server: tried once more with the same key, so that one press makes one. */
const creationSchema = z.object({ key: z.string(), fields: draftFieldsSchema })
export type Creation = z.infer<typeof creationSchema>

const keptSchema = z.object({
  values: draftValues,
  /** The server's version when this was written; absent for a draft that it has not answered for. */
  base: z.object({ version: z.number(), fields: draftFieldsSchema }).optional(),
  creation: creationSchema.optional(),
})
export type StoredCampaignDraft = z.infer<typeof keptSchema>

const nameOf = (id: string | undefined) => `broadcast ${id ?? 'new'}`

/** Returns a draft's unsaved changes, which outlive a reload of the page. @param id absent for a new one. */
export const readStoredCampaignDraft = (id: string | undefined): StoredCampaignDraft | undefined =>
  readSessionValue(nameOf(id), keptSchema)

/** Keeps it, or forgets it once it has reached the server or is not wanted. */
export const storeCampaignDraft = (id: string | undefined, kept: StoredCampaignDraft | undefined): void =>
  writeSessionValue(nameOf(id), kept)
