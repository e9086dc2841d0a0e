import { z } from 'zod'
import { idSchema } from '../core/records.ts'
import { roleSchema } from './permissions.ts'

/** The secret of an invitation: 32 random bytes as base64url. It is in the mail alone. */
export const invitationTokenSchema = z.string().regex(/^[\w-]{43}$/, 'This is not the link of an invitation.')

/** Details of an invitation, for the person who follows its link. */
export const invitationPreviewSchema = z.object({
  id: idSchema,
  workspaceName: z.string().max(120),
  /** Name of the member who sent it. */
  inviter: z.string().max(120),
  email: z.string().max(254),
  role: roleSchema,
})
export type InvitationPreview = z.infer<typeof invitationPreviewSchema>
