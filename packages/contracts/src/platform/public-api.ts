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
    /** Phone number in E.164; a contact is made where none has it. */
    to: phoneSchema.optional(),
    contactId: idSchema.optional(),
    /** Id of the number that sends; the default one where absent. */
    from: idSchema.optional(),
    text: z.string().trim().min(1).max(maxMessageLength).optional(),
    template: z
      .object({
        id: idSchema,
        /** Placeholder → what stands in its place. */
        values: z.record(recordKey, z.string().trim().min(1).max(templateLimits.value)).default({}),
      })
      .optional(),
    sendAt: timeSchema.optional(),
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
