import { defineEndpoint } from '../core/endpoint.ts'

/** Server-sent events beside the recorded ones: they are in no log, and clients that do not listen miss them. */
export const transientEvents = ['presence', 'campaign.progress', 'automation', 'figures.changed'] as const
export type TransientEvent = (typeof transientEvents)[number]

/**
 * The names of the stream's server-sent events: `record` is a recorded event (`eventSchema`), its number being the entry's
 * id; `presence` who is where now (`presenceSchema`); `campaign.progress` how far a campaign has come
 * (`campaignProgressSchema`); `automation` that bots or
 * their sessions have changed (`automationHintSchema`); `figures.changed` that dashboard and analytics have changed; at `reset` what was missed is no longer known: read everything again.
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
