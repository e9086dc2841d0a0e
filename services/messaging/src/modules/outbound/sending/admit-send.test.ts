import { expect, test } from 'vitest'
import { type Admission, admitSend, type ConsentValue, type SendFacts } from './admit-send.ts'

const now = new Date('2026-05-04T10:00:00Z')
const open = new Date(now.getTime() + 1)
const causes = ['member', 'campaign', 'bot', 'workflow', 'api']
const values: readonly ConsentValue[] = ['unknown', 'in', 'out']
const categories = ['marketing', 'utility', 'authentication'] as const
type Contact = NonNullable<SendFacts['contact']>
const contact = (changes: Partial<Contact> = {}): Contact => ({
  isBlocked: false,
  isDeleted: false,
  marketing: 'unknown',
  utility: 'unknown',
  ...changes,
})
const facts = (changes: Partial<SendFacts> = {}): SendFacts => ({
  now,
  contact: contact(),
  windowExpiresAt: undefined,
  template: { status: 'approved', category: 'marketing' },
  stopped: undefined,
  needsOptIn: true,
  ...changes,
})
const shown = (admission: Admission) => ('reason' in admission ? `${admission.kind} ${admission.reason}` : 'allow')

/** The table of the design: what becomes of a template by its category and by what the contact has said about that category. */
const ofTemplate = {
  marketing: { in: 'allow', unknown: 'skip no_opt_in', out: 'skip opted_out' },
  utility: { in: 'allow', unknown: 'allow', out: 'skip opted_out' },
  authentication: { in: 'allow', unknown: 'allow', out: 'allow' },
} as const

const templates = causes.flatMap((cause) =>
  categories.flatMap((category) =>
    values.flatMap((consent) =>
      [undefined, now, open].flatMap((windowExpiresAt) =>
        [true, false].map((needsOptIn) => ({ cause, category, consent, windowExpiresAt, needsOptIn })),
      ),
    ),
  ),
)

test.each(templates)(
  '$cause sends $category to $consent, window until $windowExpiresAt, needs consent $needsOptIn',
  ({ cause, category, consent, windowExpiresAt, needsOptIn }) => {
    const template = { status: 'approved', category } as const
    const chosen = contact({ marketing: consent, utility: consent })
    const expected = ofTemplate[category][consent]
    const admission = admitSend(
      { cause, isTemplate: true },
      facts({ contact: chosen, template, windowExpiresAt, needsOptIn }),
    )
    expect(shown(admission)).toBe(expected === 'skip no_opt_in' && !needsOptIn ? 'allow' : expected)
  },
)

test.each(causes)('free text of %s answers the person whatever they said, in the open window only', (cause) => {
  for (const marketing of values) {
    const judged = (windowExpiresAt: Date | undefined) =>
      admitSend(
        { cause, isTemplate: false },
        facts({ contact: contact({ marketing, utility: marketing }), template: undefined, windowExpiresAt }),
      )
    expect(shown(judged(open))).toBe('allow')
    expect(shown(judged(now))).toBe('skip window_closed')
    expect(shown(judged(undefined))).toBe('skip window_closed')
  }
})

test('what an automation has queued does not leave once a person has taken part; what others send does', () => {
  const judged = (epoch: number | undefined, personEpoch: number | undefined) =>
    shown(
      admitSend(
        { cause: 'bot', isTemplate: false, epoch },
        facts({ template: undefined, windowExpiresAt: open, personEpoch }),
      ),
    )
  expect([judged(3, undefined), judged(3, 2), judged(3, 3)]).toEqual(['allow', 'allow', 'allow'])
  expect([judged(3, 4), judged(0, 1)]).toEqual(['skip conversation_taken', 'skip conversation_taken'])
  expect(judged(undefined, 4)).toBe('allow')
})

test.each(causes)('nothing of %s goes to somebody who is blocked or deleted', (cause) => {
  for (const isTemplate of [true, false])
    for (const category of categories) {
      const to = (who: Contact | undefined) =>
        admitSend(
          { cause, isTemplate },
          facts({ contact: who, windowExpiresAt: open, template: { status: 'approved', category } }),
        )
      expect(shown(to(contact({ marketing: 'in', isBlocked: true })))).toBe('skip blocked')
      expect(shown(to(contact({ marketing: 'in', isDeleted: true })))).toBe('skip deleted')
      expect(shown(to(undefined))).toBe('skip deleted')
    }
})

test.each(causes)('a category is decided by what was said about it alone, for %s', (cause) => {
  const judged = (category: 'marketing' | 'utility', chosen: Partial<Contact>) =>
    shown(
      admitSend(
        { cause, isTemplate: true },
        facts({ contact: contact(chosen), template: { status: 'approved', category } }),
      ),
    )
  expect(judged('utility', { marketing: 'out' })).toBe('allow')
  expect(judged('marketing', { marketing: 'in', utility: 'out' })).toBe('allow')
})

test.each(['draft', 'pending', 'rejected', 'paused', 'disabled'] as const)(
  'a template that is %s is sent by nobody; what a campaign sends of it is held',
  (status) => {
    for (const cause of causes) {
      const judged = admitSend(
        { cause, isTemplate: true },
        facts({ contact: contact({ marketing: 'in' }), template: { status, category: 'marketing' } }),
      )
      expect(shown(judged)).toBe(`${cause === 'campaign' ? 'hold' : 'skip'} template_not_approved`)
    }
  },
)

/** Marketing received at these times, for a message that excludes recipients of any since 10 o'clock. */
const had = [
  [undefined, 'allow'],
  [new Date(now.getTime() - 1), 'allow'],
  [now, 'skip recently_messaged'],
  [new Date(now.getTime() + 1), 'skip recently_messaged'],
] as const

test.each(had)(
  'who has had marketing at %s gets no more of what leaves recent ones out: %s',
  (lastMarketingAt, expected) => {
    const who = contact({ marketing: 'in', lastMarketingAt })
    const judged = (
      recentSince: Date | undefined,
      category: (typeof categories)[number],
      over: Partial<SendFacts> = {},
    ) =>
      shown(
        admitSend(
          { cause: 'campaign', isTemplate: true, recentSince },
          facts({ contact: who, template: { status: 'approved', category }, ...over }),
        ),
      )
    expect(judged(now, 'marketing')).toBe(expected)
    expect(judged(undefined, 'marketing')).toBe('allow')
    expect([judged(now, 'utility'), judged(now, 'authentication')]).toEqual(['allow', 'allow'])
    // Permanent refusals are reported before waits, and consent first.
    expect(judged(now, 'marketing', { stopped: { code: 190 } })).toBe(
      expected === 'allow' ? 'wait number_stopped' : expected,
    )
    expect(judged(now, 'marketing', { contact: { ...who, marketing: 'out' } })).toBe('skip opted_out')
    expect(judged(now, 'marketing', { template: { status: 'paused', category: 'marketing' } })).toBe(
      expected === 'allow' ? 'hold template_not_approved' : expected,
    )
  },
)

test('a removed template is sent by nobody', () => {
  expect(shown(admitSend({ cause: 'member', isTemplate: true }, facts({ template: undefined })))).toBe(
    'skip template_not_approved',
  )
})

test('a number that is stopped has messages wait, but what may never leave does not wait for it', () => {
  const stopped = { stopped: { code: 190 }, windowExpiresAt: open }
  expect(shown(admitSend({ cause: 'member', isTemplate: false }, facts(stopped)))).toBe('wait number_stopped')
  const out = facts({ ...stopped, contact: contact({ marketing: 'out' }) })
  expect(shown(admitSend({ cause: 'member', isTemplate: true }, out))).toBe('skip opted_out')
})

test.each([
  [131042, 'wait number_stopped', 'wait number_stopped', 'allow'],
  [131048, 'wait number_stopped', 'allow', 'allow'],
  [131031, 'wait number_stopped', 'wait number_stopped', 'wait number_stopped'],
])('a number that %i has stopped: marketing %s, utility %s, an answer %s', (code, marketing, utility, answer) => {
  const judged = (isTemplate: boolean, category: 'marketing' | 'utility') =>
    admitSend(
      { cause: 'member', isTemplate },
      facts({
        stopped: { code },
        windowExpiresAt: open,
        template: { status: 'approved', category },
        contact: contact({ marketing: 'in' }),
      }),
    )
  expect(shown(judged(true, 'marketing'))).toBe(marketing)
  expect(shown(judged(true, 'utility'))).toBe(utility)
  expect(shown(judged(false, 'utility'))).toBe(answer)
  // A message that waits for long lets answers to the same customer pass.
  expect(judged(true, 'marketing')).toMatchObject({ passable: code !== 131031 })
})

test('what is too long with its values never leaves, after what the person has said is told', () => {
  const judged = (over: Partial<SendFacts>) =>
    shown(admitSend({ cause: 'campaign', isTemplate: true, isTooLong: true }, facts(over)))
  expect(judged({ contact: contact({ marketing: 'in' }) })).toBe('skip value_too_long')
  expect(judged({ contact: contact({ marketing: 'out' }) })).toBe('skip opted_out')
})

test('an offer that has ended never leaves; one that ends in a moment does', () => {
  const judged = (offerEndsAt: Date) =>
    shown(
      admitSend({ cause: 'campaign', isTemplate: true, offerEndsAt }, facts({ contact: contact({ marketing: 'in' }) })),
    )
  expect(judged(now)).toBe('skip offer_ended')
  expect(judged(open)).toBe('allow')
})
