import { z } from 'zod'
import { tagNameSchema } from '../contacts/tags.ts'
import { defineEndpoint } from '../core/endpoint.ts'
import { byId, idSchema, leftOutField, storedFields } from '../core/records.ts'
import { placeholdersOf } from '../templates/placeholders.ts'
import { conversationSchema } from './conversations.ts'
import { maxMessageLength } from './messages.ts'

/** Macros of a workspace. */
export const maxMacros = 100
const maxActions = 10
/** Maximum hours for which a macro snoozes a conversation. */
const maxSnoozeHours = 720

const textSchema = z
  .string()
  .trim()
  .min(1, 'Enter a text')
  .max(maxMessageLength, `At most ${maxMessageLength} characters`)

const macroActionSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('add_tag'), tag: tagNameSchema }),
  z.object({ kind: z.literal('remove_tag'), tag: tagNameSchema }),
  /** To this member; to whoever runs it where there is none. */
  z.object({ kind: z.literal('assign'), memberId: idSchema.optional() }),
  z.object({ kind: z.literal('unassign') }),
  /** Sent to the customer; `{{name}}` and `{{phone}}` stand for the contact's. */
  z.object({ kind: z.literal('reply'), text: textSchema }),
  /** Written for colleagues. */
  z.object({ kind: z.literal('note'), text: textSchema }),
  z.object({ kind: z.literal('snooze'), hours: z.number().int().min(1, 'At least one hour').max(maxSnoozeHours) }),
  z.object({ kind: z.literal('close') }),
])
export type MacroAction = z.infer<typeof macroActionSchema>

/** Variables of a reply: what every contact may have. */
const replyVariables = new Set(['name', 'first_name', 'phone', 'username'])

const isOwner = ({ kind }: MacroAction) => kind === 'assign' || kind === 'unassign'
const isEnd = ({ kind }: MacroAction) => kind === 'snooze' || kind === 'close'

const actionsSchema = z
  .array(macroActionSchema)
  .min(1, 'Add an action')
  .max(maxActions, `At most ${maxActions} actions`)
  .superRefine((actions, context) => {
    const refuse = (index: number, message: string) => context.addIssue({ code: 'custom', path: [index], message })
    for (const [index, action] of actions.entries()) {
      const earlier = actions.slice(0, index)
      const unknown =
        action.kind === 'reply' ? placeholdersOf(action.text).filter((name) => !replyVariables.has(name)) : []
      if (unknown.length > 0)
        refuse(index, `{{${unknown[0]}}} is not known here: name, first_name, phone and username are`)
      if (isOwner(action) && earlier.some(isOwner)) refuse(index, 'A macro assigns the conversation once')
      if (isEnd(action) && index < actions.length - 1) refuse(index, 'Closing and snoozing come last')
      if (action.kind === 'close' && earlier.some(({ kind }) => kind === 'assign'))
        refuse(index, 'A closed conversation has no owner: leave one of them out')
    }
  })

const macroFields = {
  name: z.string().trim().min(1, 'Enter a name').max(60, 'At most 60 characters'),
  /** Carried out in this order. */
  actions: actionsSchema,
}
export const newMacroSchema = z.object(macroFields)
export type NewMacro = z.infer<typeof newMacroSchema>

const macroSchema = z.object({
  ...storedFields,
  ...macroFields,
  /** Reasons why an action cannot be carried out, by its place in the list. */
  problems: z.array(z.object({ index: z.number().int().min(0), message: z.string().max(300) })).max(maxActions),
})
export type Macro = z.infer<typeof macroSchema>

/** Returns what is done, in the words of buttons. @param nameOf names a member. */
export function macroActionLabel(action: MacroAction, nameOf: (memberId: string) => string): string {
  switch (action.kind) {
    case 'add_tag':
      return `Add the tag ${action.tag}`
    case 'remove_tag':
      return `Remove the tag ${action.tag}`
    case 'assign':
      return action.memberId === undefined ? 'Assign to me' : `Assign to ${nameOf(action.memberId)}`
    case 'unassign':
      return 'Assign to nobody'
    case 'reply':
      return 'Send a reply'
    case 'note':
      return 'Write a note'
    case 'snooze':
      return `Snooze for ${action.hours === 1 ? 'an hour' : `${action.hours} hours`}`
    case 'close':
      return 'Close the conversation'
  }
}

const common = { access: 'session', permission: 'conversations:write' } as const

/** Named lists of actions on a conversation. */
export const macrosApi = {
  list: defineEndpoint({
    operation: 'macros.list',
    method: 'GET',
    path: '/api/macros',
    access: 'session',
    permission: 'conversations:read',
    summary: 'The macros of the workspace by name, with what keeps an action from being carried out.',
    status: 200,
    response: z.object({ ...leftOutField, items: z.array(macroSchema).max(maxMacros) }),
    errors: [],
  }),
  create: defineEndpoint({
    ...common,
    operation: 'macros.create',
    method: 'POST',
    path: '/api/macros',
    summary: 'Saves a macro.',
    body: newMacroSchema,
    status: 201,
    response: macroSchema,
    errors: ['macro_exists', 'too_many_macros'],
  }),
  update: defineEndpoint({
    ...common,
    operation: 'macros.update',
    method: 'PATCH',
    path: '/api/macros/:id',
    summary: 'Renames a macro or changes its actions.',
    params: byId,
    body: newMacroSchema.partial().extend({ version: z.number().int().positive() }),
    status: 200,
    response: macroSchema,
    errors: ['not_found', 'macro_exists', 'stale_version'],
  }),
  remove: defineEndpoint({
    ...common,
    operation: 'macros.remove',
    method: 'DELETE',
    path: '/api/macros/:id',
    summary: 'Deletes a macro.',
    params: byId,
    status: 204,
    errors: ['not_found'],
  }),
  run: defineEndpoint({
    ...common,
    operation: 'macros.run',
    method: 'POST',
    path: '/api/conversations/:id/macros',
    summary:
      'Carries out a macro on a conversation, as the caller would by hand. What the caller may not do, and a reply that cannot be sent, refuse all of it; where a later step is refused, the answer says what was done.',
    params: byId,
    body: z.object({
      macroId: idSchema,
      /** The macro's version that the caller has seen. */
      macroVersion: z.number().int().positive(),
      /** The conversation's version that the caller has seen, so that two do not take it from each other. */
      version: z.number().int().positive().optional(),
    }),
    status: 200,
    response: z.object({
      conversation: conversationSchema,
      /** Actions that were carried out, from the first on. */
      done: z.number().int().min(0),
      /** The action that was refused after others were done, with what is to be told of it. */
      refused: z
        .object({ index: z.number().int().min(1), code: z.string().max(60), message: z.string().max(600) })
        .nullable(),
    }),
    errors: ['not_found', 'stale_version', 'window_closed', 'wrong_state'],
  }),
}
