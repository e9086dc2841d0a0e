import type { DraftFlow, NodeKind } from '@parley/contracts/automation/flow'
import { branchesOf } from '@parley/flow/branches'
import { newId } from '@parley/service-kit/data/plain'
import fc from 'fast-check'
import { flowOf } from './drawn-flows.ts'

/** Texts of customers: keywords of the flows, answers, and what fits nothing. */
export const words = ['tea', 'taxi', 'Green', '12', 'a human please', 'what is this'] as const

const choices = [
  { id: 'x', title: 'Green' },
  { id: 'y', title: 'Black' },
]
const timeoutSeconds = fc.constantFrom(undefined, 60, 600)
const tries = fc.constantFrom(undefined, 1, 3)
const member = { kind: 'member', memberId: newId() } as const
const node = <K extends NodeKind>(kind: K, settings: Readonly<Record<string, fc.Arbitrary<unknown>>> = {}) =>
  fc.record({ kind: fc.constant(kind), ...settings })
const fixed = (value: unknown) => fc.constant(value)

/** Nodes of every kind that a bot may have beside its triggers. */
const inner = (botIds: readonly string[]) =>
  fc.oneof(
    node('send_text', {
      text: fc.constantFrom(
        'Hello {{name}}.',
        'You said {{last_answer|nothing}}.',
        'On {{session.Wanted day|no day}}.',
      ),
    }),
    node('send_media', { media: fixed('image'), mediaId: fixed(newId()) }),
    node('send_template', { templateId: fixed(newId()), variables: fixed({}) }),
    node('ask', {
      text: fixed('What is it?'),
      attribute: fixed('what'),
      expects: fc.constantFrom(undefined, 'text', 'number', 'any', 'email', 'media'),
      save: fc.constantFrom(undefined, 'session'),
      tries,
      timeoutSeconds,
    }),
    node('buttons', { text: fixed('Which one?'), choices: fixed(choices), tries, timeoutSeconds }),
    node('list', { text: fixed('Which one?'), button: fixed('Show'), rows: fixed(choices), tries, timeoutSeconds }),
    node('form', { text: fixed('Book a visit'), button: fixed('Open'), formId: fixed('77'), tries, timeoutSeconds }),
    node('set_attribute', { attribute: fixed('last'), value: fixed('{{last_answer|none}}') }),
    node('add_tag', { tag: fixed('asked') }),
    node('remove_tag', { tag: fixed('asked') }),
    node('assign', { to: fc.constantFrom({ kind: 'queue' }, member) }),
    node('close'),
    node('http_call', { connectionId: fixed(newId()), method: fixed('GET'), path: fixed('/x') }),
    node('go_to_bot', { botId: fc.constantFrom(...botIds, newId()) }),
    node('end'),
    node('business_hours', { hours: fixed({ use: 'workspace' }) }),
    node('attribute', { attribute: fixed('what'), comparison: fixed('is_set') }),
    node('tag', { tag: fixed('asked') }),
    node('last_answer', { comparison: fixed('contains'), value: fixed('tea') }),
    node('wait_time', { seconds: fc.constantFrom(1, 60, 86_400) }),
    node('wait_reply', { timeoutSeconds: fc.constantFrom(60, 600) }),
  )

const trigger = fc.oneof(
  node('keyword', {
    keywords: fc.constantFrom(['tea'], ['taxi'], ['tea', 'taxi']),
    match: fc.constantFrom('exact', 'word', 'text'),
    interrupts: fc.boolean(),
  }),
  node('any_message', { when: fc.constantFrom('always', 'first') }),
  node('handed_over'),
)

/** Any graph: circles, ways that lead nowhere, nodes that nothing leads to. */
export function flowsOf(botIds: readonly string[]): fc.Arbitrary<DraftFlow> {
  const nodes = fc.tuple(
    fc.array(trigger, { minLength: 1, maxLength: 2 }),
    fc.array(inner(botIds), { minLength: 1, maxLength: 7 }),
  )
  return fc.tuple(nodes, fc.infiniteStream(fc.nat(9))).map(([[triggers, rest], stream]) => {
    const drawn = [...triggers, ...rest].map((settings, index) => ({ id: `n${index}`, ...omitAbsent(settings) }))
    const targets = drawn.slice(triggers.length).map(({ id }) => id)
    const edges = drawn.flatMap(({ id, ...settings }) =>
      branchesOf(settings as Parameters<typeof branchesOf>[0]).flatMap((branch) => {
        // Sometimes none of them: the way is not drawn.
        const target = targets[Number(stream.next().value)]
        return target === undefined ? [] : [`${id} ${branch.id} ${target}`]
      }),
    )
    return flowOf(drawn, edges)
  })
}

const omitAbsent = <T extends { kind: NodeKind }>(settings: T): T =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as T
