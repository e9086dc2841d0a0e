import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { countSchema, timeSchema } from './records.ts'

/** What a workspace's plan allows in one period, in credits: one for each message of a template that WhatsApp has taken. */
const usageSchema = z.object({
  /** Name of the plan. */
  plan: z.string().max(40),
  /** Days of the workspace's zone: the first one, and the first one after the period. */
  from: z.iso.date(),
  to: z.iso.date(),
  limit: countSchema,
  used: countSchema,
  /** By campaigns, for whoever waits for them and whoever may have got them. */
  held: countSchema,
  /** Never below zero; nothing once a trial has ended. */
  left: countSchema,
  /** Whether another period follows by itself: none does after a trial. */
  renews: z.boolean(),
  /** The trial is over. */
  ended: z.boolean(),
  /** Whether campaigns are held to it: whoever runs Parley decides. */
  limited: z.boolean(),
})
export type Usage = z.infer<typeof usageSchema>

const number = new Intl.NumberFormat('en-US')
const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

/** Why a campaign does not fit into what is left, and what to do about it; undefined where it fits. @param needs in credits. */
export function quotaProblem(usage: Usage, needs: number): string | undefined {
  if (!usage.limited || needs === 0 || needs <= usage.left) return undefined
  const to = day.format(new Date(usage.to))
  const otherPlan = 'ask Parley’s support for another plan: Settings, Billing lists them'
  if (usage.ended) return `The free trial ended on ${to}. To send campaigns, ${otherPlan}.`
  const left = `${number.format(usage.left)} of ${number.format(usage.limit)} are left until ${to}`
  const needed = needs === 1 ? '1 credit' : `${number.format(needs)} credits`
  const wait = usage.renews ? ', wait until then' : ''
  return `This campaign needs ${needed}, and ${left}. Choose fewer contacts${wait}, or ${otherPlan}.`
}

export const usageApi = {
  read: defineEndpoint({
    operation: 'usage.read',
    method: 'GET',
    path: '/api/usage',
    access: 'session',
    permission: 'workspace:read',
    summary: 'Credits of the period with what campaigns hold; of a later period where `at` lies in one.',
    query: z.object({ at: timeSchema.optional() }),
    status: 200,
    response: usageSchema,
    errors: [],
  }),
}
