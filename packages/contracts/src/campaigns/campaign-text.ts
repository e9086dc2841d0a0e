import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { byId } from '../core/records.ts'
import { templateFieldsSchema } from '../templates/templates.ts'

const textSchema = templateFieldsSchema.pick({
  header: true,
  headerMedia: true,
  offer: true,
  body: true,
  footer: true,
  buttons: true,
  cards: true,
})

const campaignTextSchema = z.object({
  /** Text that the campaign sends, as in its template when the campaign was made or continued. */
  text: textSchema,
  /** Present text of the template, where it differs; null where it does not, or the template is gone. */
  changed: z
    .object({
      text: textSchema,
      /** Key of this text: a member who continues with it states which one they have seen. */
      key: z.string().max(64),
      /** Variables of the new text that the campaign has no value for: with any the campaign cannot continue. */
      unfilled: z.array(z.string().max(64)).max(200),
      /** Parts of the new text that Parley cannot fill in: with any the campaign cannot continue. */
      unsupported: z.array(z.string().max(100)).max(50),
    })
    .nullable(),
})
export type CampaignText = z.infer<typeof campaignTextSchema>

export const campaignTextApi = {
  read: defineEndpoint({
    operation: 'campaigns.text',
    method: 'GET',
    path: '/api/campaigns/:id/text',
    access: 'session',
    permission: 'campaigns:read',
    v1: true,
    summary: 'The template version that a campaign sends, and the current one where it differs.',
    params: byId,
    status: 200,
    response: campaignTextSchema,
    errors: ['not_found'],
  }),
}
