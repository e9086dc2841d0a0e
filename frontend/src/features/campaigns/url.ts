import { outcomes } from '@parley/contracts/campaigns/campaign-recipients'
import { type CampaignQuery, campaignQuerySchema } from '@parley/contracts/campaigns/campaigns'
import { idSchema } from '@parley/contracts/core/records'
import { z } from 'zod'
import { useUrlState } from '../../lib/url-state.ts'
import { cardPageSize } from '../../ui/card-list.tsx'
import { firstPage } from '../../ui/cursor-pager.tsx'
import { steps } from './new/steps.ts'

const { q, status, cursor } = campaignQuerySchema.shape

const shape = {
  q,
  status: status.optional(),
  cursor,
  page: z.coerce.number().int().min(2).max(10_000).optional(),
  /** The campaign whose details are open. */
  id: idSchema.optional(),
  /** Recipients listed there. */
  recipients: z.enum(['all', ...outcomes]).optional(),
  /** Set where its timeline is shown. */
  timeline: z.literal('1').optional(),
  new: z.literal('1').optional(),
  /** The draft that is open in the steps. */
  draft: idSchema.optional(),
  step: z.enum(steps).optional(),
  /** Template chosen for a new campaign by the linking page. */
  template: idSchema.optional(),
}

/** Returns this screen's state from the address, and a setter. */
export const useCampaignsUrl = () => useUrlState(shape)
export type CampaignsUrl = ReturnType<typeof useCampaignsUrl>[0]
export type ChangeUrl = ReturnType<typeof useCampaignsUrl>[1]

export const queryOf = ({ q: text, status: chosen, cursor: from }: CampaignsUrl): CampaignQuery => ({
  ...(text && { q: text }),
  ...(from && { cursor: from }),
  status: chosen,
  limit: cardPageSize,
})

/** Closes the details of a campaign. */
export const detailsClosed = { id: undefined, recipients: undefined, timeline: undefined }
/** The whole list, from its first page. */
export const noFilters = { q: undefined, status: undefined, ...firstPage }
export const wizardClosed = { new: undefined, draft: undefined, step: undefined, template: undefined }
