import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { byId, countSchema, idSchema, pageOf, pageQueryFields, storedFields } from '../core/records.ts'
import { maxCaptionLength, maxMessageLength } from './messages.ts'

/** Kinds of files that a saved reply may carry. */
const replyFileKinds = ['image', 'video', 'document', 'audio'] as const

/** A file that was uploaded before (`mediaApi.upload`). */
const newReplyFileSchema = z.object({
  mediaId: idSchema,
  kind: z.enum(replyFileKinds),
  /** Name of the file as its uploader knows it; the customer sees it of a document. */
  fileName: z.string().trim().min(1).max(240),
})

const replyFileSchema = newReplyFileSchema.extend({
  mimeType: z.string().max(100),
  sizeBytes: countSchema,
  /** Pixels, of pictures. */
  width: countSchema.optional(),
  height: countSchema.optional(),
})
export type ReplyFile = z.infer<typeof replyFileSchema>

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
  /** Empty only where there is a file; a file's caption, but for audio, which is followed by it. */
  text: z.string().trim().max(maxMessageLength, `At most ${maxMessageLength} characters`),
}

/** An answer that is written often, kept for the whole workspace, with a file where it has one. */
const savedReplySchema = z.object({ ...storedFields, ...replyFields, file: replyFileSchema.optional() })
export type SavedReply = z.infer<typeof savedReplySchema>

/** Returns what is wrong with the text of a reply, beside this file. */
export function replyTextProblem(text: string, file: Pick<ReplyFile, 'kind'> | null | undefined): string | undefined {
  if (text === '' && !file) return 'Enter a text, or add a file'
  if (file && file.kind !== 'audio' && text.length > maxCaptionLength)
    return `At most ${maxCaptionLength} characters under a file`
  return undefined
}

export const newSavedReplySchema = z
  .object({ ...replyFields, file: newReplyFileSchema.nullable().optional() })
  .superRefine(({ text, file }, context) => {
    const message = replyTextProblem(text, file)
    if (message !== undefined) context.addIssue({ code: 'custom', path: ['text'], message })
  })
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
    summary: 'Saves a reply, with a file that was uploaded before where it has one.',
    body: newSavedReplySchema,
    status: 201,
    response: savedReplySchema,
    errors: ['reply_exists', 'validation_failed'],
  }),
  update: defineEndpoint({
    operation: 'replies.update',
    method: 'PATCH',
    path: '/api/replies/:id',
    access: 'session',
    permission: 'conversations:write',
    summary: 'Changes a saved reply.',
    params: byId,
    body: z.object(replyFields).partial().extend({
      /** null: without one from now on. */
      file: newReplyFileSchema.nullable().optional(),
      version: z.number().int().positive(),
    }),
    status: 200,
    response: savedReplySchema,
    errors: ['not_found', 'reply_exists', 'stale_version', 'validation_failed'],
  }),
  remove: defineEndpoint({
    operation: 'replies.remove',
    method: 'DELETE',
    path: '/api/replies/:id',
    access: 'session',
    permission: 'conversations:write',
    summary: 'Deletes a saved reply, with its file where nothing else has it.',
    params: byId,
    status: 204,
    errors: ['not_found'],
  }),
}
