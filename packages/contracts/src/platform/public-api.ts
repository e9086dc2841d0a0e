import { z } from 'zod'
import { keyContextSchema } from '../account/api-keys.ts'
import { defineEndpoint } from '../core/endpoint.ts'
import { byId, idSchema, phoneSchema, recordKey, timeSchema } from '../core/records.ts'
import { maxMessageLength, messageSchema } from '../inbox/messages.ts'
import { templateLimits } from '../templates/template-limits.ts'

/** Endpoints that the BFF itself answers. */
export const meApi = {
  read: defineEndpoint({
    operation: 'me.read',
    method: 'GET',
    path: '/v1/me',
    access: 'key',
    permission: 'member',
    summary: 'The key that makes the call, and its workspace: a check that the key works.',
    tool: 'Find out which workspace you work in and what you may do there.',
    status: 200,
    response: z.object({
      workspaceId: z.string(),
      key: keyContextSchema.pick({
        id: true,
        name: true,
        scopes: true,
        numbers: true,
        networks: true,
        expiresAt: true,
      }),
    }),
    errors: [],
  }),
}

const newMessageSchema = z
  .object({
    to: phoneSchema
      .optional()
      .describe('Phone number in E.164: +919876543210. A contact is made where none has it. Either this or contactId.'),
    contactId: idSchema.optional().describe('Contact to send to, in place of to.'),
    from: idSchema.optional().describe('Id of the number that sends; the default one where absent.'),
    text: z
      .string()
      .trim()
      .min(1)
      .max(maxMessageLength)
      .optional()
      .describe('Text to send; it needs an open 24-hour window. Either this or template.'),
    template: z
      .object({
        id: idSchema,
        values: z
          .record(recordKey, z.string().trim().min(1).max(templateLimits.value))
          .default({})
          .describe('What stands in place of each placeholder, by its name.'),
      })
      .optional()
      .describe('Approved template to send, also where the window is closed.'),
    sendAt: timeSchema.optional().describe('Time within 30 days at which a text is sent; at once where absent.'),
  })
  .superRefine(({ to, contactId, text, template, sendAt }, issues) => {
    const refuse = (path: string, message: string) => issues.addIssue({ code: 'custom', path: [path], message })
    if ((to === undefined) === (contactId === undefined)) refuse('to', 'Name the receiver by either to or contactId.')
    if ((text === undefined) === (template === undefined)) refuse('text', 'Send either a text or a template.')
    if (sendAt !== undefined && template) refuse('sendAt', 'A template is sent at once.')
  })
export type NewPublicMessage = z.infer<typeof newMessageSchema>

/** Messages without their conversations, as programs send them. */
export const publicMessagesApi = {
  send: defineEndpoint({
    operation: 'messages.send',
    method: 'POST',
    path: '/v1/messages',
    access: 'key',
    permission: 'conversations:write',
    audit: 'none',
    summary: 'Sends a message to a phone number or a contact. Finds or creates contact and conversation.',
    tool: 'Send a message to someone by phone number or contact id. Free text needs an open 24-hour window.',
    body: newMessageSchema,
    status: 201,
    response: z.object({ message: messageSchema, contactId: idSchema, conversationId: idSchema, from: idSchema }),
    errors: ['not_found', 'window_closed', 'wrong_state', 'template_not_approved', 'quota_reached', 'contact_exists'],
  }),
  read: defineEndpoint({
    operation: 'messages.read',
    method: 'GET',
    path: '/v1/messages/:id',
    access: 'key',
    permission: 'conversations:read',
    summary: 'A message with its status.',
    tool: 'Find out what became of a message.',
    params: byId,
    status: 200,
    response: messageSchema,
    errors: ['not_found'],
  }),
}
