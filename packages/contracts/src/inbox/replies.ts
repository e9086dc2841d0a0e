import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { byId, pageOf, pageQueryFields, storedFields } from '../core/records.ts'

/** Reply that a person enters; `{{name}}` and `{{phone}}` stand for the contact's. */
const replyFields = {
  /** Name that is typed after a slash to find it. */
  shortcut: z
    .string()
    .trim()
    .toLowerCase()
    .min(1, 'Enter a shortcut')
    .max(40, 'At most 40 characters')
    .regex(/^[\p{L}\p{N}_-]+$/u, 'Letters, digits, - and _ only'),
  text: z.string().trim().min(1, 'Enter a text').max(4096, 'At most 4096 characters'),
}

/** An answer that is written often, kept for the whole workspace. */
const savedReplySchema = z.object({ ...storedFields, ...replyFields })
export type SavedReply = z.infer<typeof savedReplySchema>
export const newSavedReplySchema = z.object(replyFields)
export type NewSavedReply = z.infer<typeof newSavedReplySchema>

export const repliesApi = {
  list: defineEndpoint({
    operation: 'replies.list',
    method: 'GET',
    path: '/api/replies',
    access: 'session',
    permission: 'conversations:read',
    summary: 'Saved replies by shortcut; `q` finds those that begin with it or contain it.',
    query: z.object(pageQueryFields),
    status: 200,
    response: pageOf(savedReplySchema),
    errors: [],
  }),
  create: defineEndpoint({
    operation: 'replies.create',
    method: 'POST',
    path: '/api/replies',
    access: 'session',
    permission: 'conversations:write',
    summary: 'Saves a reply.',
    body: newSavedReplySchema,
    status: 201,
    response: savedReplySchema,
    errors: ['reply_exists'],
  }),
  update: defineEndpoint({
    operation: 'replies.update',
    method: 'PATCH',
    path: '/api/replies/:id',
    access: 'session',
    permission: 'conversations:write',
    summary: 'Changes a saved reply.',
    params: byId,
    body: newSavedReplySchema.partial().extend({ version: z.number().int().positive() }),
    status: 200,
    response: savedReplySchema,
    errors: ['not_found', 'reply_exists', 'stale_version'],
  }),
  remove: defineEndpoint({
    operation: 'replies.remove',
    method: 'DELETE',
    path: '/api/replies/:id',
    access: 'session',
    permission: 'conversations:write',
    summary: 'Deletes a saved reply.',
    params: byId,
    status: 204,
    errors: ['not_found'],
  }),
}
