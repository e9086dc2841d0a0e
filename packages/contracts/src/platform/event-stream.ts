import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { idSchema } from '../core/records.ts'

/** Server-sent events beside the recorded ones: they are in no log, and clients that do not listen miss them. */
export const transientEvents = ['presence', 'campaign.progress', 'automation', 'figures.changed', 'hidden'] as const
export type TransientEvent = (typeof transientEvents)[number]

/**
 * The names of the stream's server-sent events: `record` is a recorded event (`eventSchema`), its number being the entry's
 * id; `presence` who is where now (`presenceSchema`); `campaign.progress` how far a campaign has come
 * (`campaignProgressSchema`); `automation` that bots or their sessions have changed (`automationHintSchema`);
 * `figures.changed` that dashboard and analytics have changed; `hidden` what an agent no longer sees
 * (`hiddenSchema`); at `reset` what was missed is no longer known: read everything again.
 */
export const eventsApi = {
  stream: defineEndpoint({
    operation: 'events.stream',
    method: 'GET',
    path: '/api/events',
    access: 'session',
    permission: 'member',
    summary: 'Changes in the workspace as server-sent events. `Last-Event-ID` resumes after that event.',
    status: 200,
    responseType: 'events',
    errors: ['rate_limited'],
  }),
}

/** Members in a conversation. Sent to pages and not recorded: it may be lost. */
export const presenceSchema = z.object({
  conversationId: idSchema,
  /** All members who are present. */
  members: z.array(z.object({ userId: idSchema, state: z.enum(['looking', 'typing']) })).max(50),
})
export type Presence = z.infer<typeof presenceSchema>

/**
 * For agents: a conversation that they no longer see, since another member has it now. Without one, the setting of what agents see
 * has changed, and any may be hidden.
 */
export const hiddenSchema = z.object({ conversationId: idSchema.optional() })

/** Hint to read something of a bot or workflow again. Not recorded: a lost one delays a figure. */
export const automationHintSchema = z.object({
  kind: z.enum(['bot', 'workflow', 'attention']),
  id: idSchema.optional(),
  /** Set where only runs have changed, and the flow is as before. */
  runs: z.literal(true).optional(),
})
export type AutomationHint = z.infer<typeof automationHintSchema>
