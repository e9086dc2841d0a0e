import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'

/** `version` is 0 before the first change. */
const ratingSettingSchema = z.object({
  enabled: z.boolean(),
  /** Text above the five choices. */
  question: z.string().trim().min(1, 'Enter a question').max(500),
  version: z.number().int().nonnegative(),
})
export type RatingSetting = z.infer<typeof ratingSettingSchema>

export const defaultRatingSetting: RatingSetting = {
  enabled: false,
  question: 'How did we do? Tap the button to rate our answer.',
  version: 0,
}

/** Scores and their labels, the best first. */
export const ratingScores = [
  { score: 5, label: 'Excellent' },
  { score: 4, label: 'Good' },
  { score: 3, label: 'Okay' },
  { score: 2, label: 'Poor' },
  { score: 1, label: 'Bad' },
] as const

export const ratingApi = {
  read: defineEndpoint({
    operation: 'rating.read',
    method: 'GET',
    path: '/api/workspace/rating',
    access: 'session',
    permission: 'workspace:read',
    summary: 'Whether customers are asked to rate the answers of a conversation that was closed.',
    status: 200,
    response: ratingSettingSchema,
    errors: [],
  }),
  update: defineEndpoint({
    operation: 'rating.update',
    method: 'PUT',
    path: '/api/workspace/rating',
    access: 'session',
    permission: 'workspace:write',
    summary: 'Changes whether and how customers are asked to rate answers.',
    body: ratingSettingSchema,
    status: 200,
    response: ratingSettingSchema,
    errors: ['stale_version'],
  }),
}
