import type { DraftFlow } from '@parley/contracts/automation/flow'
import type { Enrolment } from '@parley/contracts/automation/workflows'
import fc from 'fast-check'
import { flowOf, text } from './drawn-flows.ts'

export const only = (field: string, value: string) => ({
  match: 'all',
  conditions: [{ field, comparison: 'equals', value }],
})
export const on = (event: string, filter?: object) => ({
  id: 'on',
  kind: 'event' as const,
  event,
  ...(filter && { filter }),
})
const addTag = (id: string, tag: string) => ({ id, kind: 'add_tag' as const, tag })
export const template = (id: string, templateId: string) => ({
  id,
  kind: 'send_template' as const,
  templateId,
  variables: {},
})

const triggers = fc.constantFrom(
  on('contact.tag_added'),
  on('contact.tag_added', only('event.tag', 'vip')),
  on('contact.tag_added', only('tags', 'gold')),
  on('message.received', only('message.text', 'hi')),
  on('conversation.opened'),
)
const steps = fc.constantFrom(
  text('said', 'Hello!'),
  addTag('thanked', 'thanked'),
  template('welcome', 'welcome'),
  { id: 'wait', kind: 'wait_time' as const, seconds: 60 },
  { id: 'gold', kind: 'tag' as const, tag: 'gold' },
)
const question = { id: 'ask', kind: 'ask' as const, text: 'Your name?', attribute: 'called' }
type Step = Parameters<typeof flowOf>[0][number]

/** Any chain of steps; a condition leads on where it holds, and to a template of its own where not. */
export const workflows: fc.Arbitrary<{ flow: DraftFlow; enrolment: Partial<Enrolment>; asks: boolean }> = fc
  .record({
    trigger: triggers,
    chain: fc.uniqueArray(steps, { maxLength: 4, selector: ({ id }) => id }),
    asks: fc.boolean(),
    enrolment: fc.record({
      reEnrolment: fc.constantFrom('never' as const, 'when_finished' as const, 'always' as const),
      coolDownSeconds: fc.constantFrom(0, 0, 60, 600),
      startsPerHour: fc.constantFrom(1000, 3),
      perContactPerHour: fc.constantFrom(5, 2),
    }),
  })
  .map(({ trigger, chain, asks: mayAsk, enrolment }) => {
    // A dry run does not know whether a contact has answered, and may start again.
    const asks = mayAsk && enrolment.reEnrolment === 'never'
    const nodes: Step[] = [trigger, ...chain, ...(asks ? [question] : [])]
    const edges = nodes.flatMap(({ id, kind }, index) => {
      const to = nodes[index + 1]?.id
      const other = kind === 'tag' ? [`${id} no other`] : []
      return to === undefined ? other : [`${id} ${kind === 'tag' ? 'yes' : 'next'} ${to}`, ...other]
    })
    return { flow: flowOf([...nodes, template('other', 'other')], edges), enrolment, asks }
  })

/** Anything that happens to three contacts. */
export const happenings = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('tag' as const),
        who: fc.nat(2),
        tag: fc.constantFrom('vip', 'gold', 'x', 'y', 'z'),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('say' as const),
        who: fc.nat(2),
        said: fc.constantFrom('hi', 'what is this'),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constantFrom('close' as const, 'opt_out' as const), who: fc.nat(2) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('merge' as const), who: fc.nat(2), other: fc.nat(2) }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(60_000, 600_000, 3_660_000) }),
    },
  ),
  { minLength: 8, maxLength: 25 },
)
