import type { Assignee } from '@parley/contracts/automation/bot-settings'
import { type NodeSettings, nodeSettingsSchema } from '@parley/contracts/automation/flow'
import type { Timing } from '@parley/contracts/automation/schedule'
import { formatDay } from '../lib/format.ts'
import type { DraftSettings } from './kinds.ts'
import { comparisonNames, dayNames, durationText, eventNames, withoutValue } from './labels.ts'

/** Names of what settings refer to by id. */
export interface Names {
  readonly bots: readonly { readonly id: string; readonly name: string }[]
  readonly templates: readonly { readonly id: string; readonly name: string }[]
  /** Members by the id of their user. */
  readonly members: readonly { readonly id: string; readonly name: string }[]
  /** Segments of contacts. */
  readonly segments?: readonly { readonly id: string; readonly name: string }[] | undefined
  readonly connections?: readonly { readonly id: string; readonly name: string }[] | undefined
  /** Forms by their id at WhatsApp. */
  readonly forms?: readonly { readonly id: string; readonly name: string }[] | undefined
}

/** `the queue`, or the name of a member. */
export const assigneeName = (to: Assignee, members: Names['members']): string =>
  to.kind === 'queue' ? 'the queue' : (members.find(({ id }) => id === to.memberId)?.name ?? 'a former member')

const matchNames = { exact: 'Is', starts_with: 'Starts with', word: 'Contains', text: 'Contains' } as const
const mediaNames = { image: 'Picture', video: 'Video', audio: 'Audio', document: 'Document' } as const

/** Returns a node's action in one line; empty while its settings are not complete. */
export function summaryOf(settings: DraftSettings, names: Names): string {
  const parsed = nodeSettingsSchema.safeParse(settings)
  return parsed.success ? describe(parsed.data, names) : ''
}

function describe(
  settings: NodeSettings,
  { bots, templates, members, segments = [], connections = [], forms = [] }: Names,
): string {
  switch (settings.kind) {
    case 'keyword':
      return `${matchNames[settings.match]} ${list(settings.keywords.map((word) => `“${word}”`))}`
    case 'any_message':
      return settings.when === 'first' ? 'The first message of a conversation' : 'Any message from the customer'
    case 'handed_over':
      return 'When a member assigns the conversation to this bot'
    case 'event':
      return `${eventNames[settings.event]}${settings.filter?.conditions.length ? ', if the conditions are met' : ''}`
    case 'schedule': {
      const whom = segments.find(({ id }) => id === settings.segmentId)?.name
      return `${timingText(settings)}${whom === undefined ? '' : `, for ${whom}`}`
    }
    case 'hook':
      return `A call names the ${settings.contact.by === 'phone' ? 'phone number' : 'contact'} at ${settings.contact.pointer}`
    case 'send_text':
    case 'ask':
    case 'buttons':
    case 'list':
      return settings.text
    case 'form':
      return [nameIn(forms, settings.formId), settings.text].filter(Boolean).join(': ')
    case 'send_media':
      return [mediaNames[settings.media], settings.caption || settings.fileName].filter(Boolean).join(': ')
    case 'send_template':
      return templates.find(({ id }) => id === settings.templateId)?.name ?? settings.templateId
    case 'set_attribute':
      return `${settings.attribute} = ${settings.value || 'nothing'}`
    case 'add_tag':
    case 'remove_tag':
      return settings.tag
    case 'assign':
      return `To ${assigneeName(settings.to, members)}`
    case 'close':
      return 'The conversation is closed'
    case 'http_call':
      return [settings.method, nameIn(connections, settings.connectionId), settings.path].filter(Boolean).join(' ')
    case 'go_to_bot':
      return bots.find(({ id }) => id === settings.botId)?.name ?? settings.botId
    case 'end':
      return 'The conversation with the bot is over'
    case 'business_hours':
      return settings.hours.use === 'workspace' ? 'Hours of the workspace' : hoursText(settings.hours.spans)
    case 'attribute':
      return comparisonText(settings.attribute, settings)
    case 'tag':
      return `Has the tag ${settings.tag}`
    case 'last_answer':
      return comparisonText('Answer', settings)
    case 'wait_time':
      return durationText(settings.seconds)
    case 'wait_reply':
      return `At most ${durationText(settings.timeoutSeconds)}`
  }
}

const nameIn = (named: readonly { readonly id: string; readonly name: string }[], id: string): string =>
  named.find((one) => one.id === id)?.name ?? ''

const list = (words: readonly string[]) => new Intl.ListFormat('en', { type: 'disjunction' }).format(words)

function comparisonText(
  what: string,
  { comparison, value }: { comparison: keyof typeof comparisonNames; value?: string | undefined },
): string {
  return withoutValue.has(comparison)
    ? `${what} ${comparisonNames[comparison]}`
    : `${what} ${comparisonNames[comparison]} ${value || 'nothing'}`
}

/** `Mon, Thu at 09:00` */
function timingText({ repeat, time }: Timing): string {
  switch (repeat.every) {
    case 'once':
      return `On ${formatDay(repeat.date)} at ${time}`
    case 'day':
      return `Every day at ${time}`
    case 'weekday':
      return `Mon–Fri at ${time}`
    case 'week':
      return `${daysText(repeat.days)} at ${time}`
    case 'month':
      return `Day ${repeat.day} of each month at ${time}`
  }
}

/** `Mon–Fri, 09:00–18:00`; hours of other days after a semicolon. */
export function hoursText(spans: readonly Span[]): string {
  return groupSpans(spans)
    .map(({ days, from, to }) => `${daysText(days)}, ${from}–${to}`)
    .join('; ')
}

interface Span {
  readonly day: number
  readonly from: string
  readonly to: string
}

/** Days with the same hours together, in the order in which their hours first appear. */
export function groupSpans(spans: readonly Span[]): { days: number[]; from: string; to: string }[] {
  const groups = new Map<string, { days: number[]; from: string; to: string }>()
  for (const { day, from, to } of spans) {
    const key = `${from} ${to}`
    groups.set(key, { days: [...(groups.get(key)?.days ?? []), day], from, to })
  }
  return [...groups.values()]
}

/** `Mon–Fri`, or the days one by one. A week begins on Monday. */
function daysText(days: readonly number[]): string {
  const week = [1, 2, 3, 4, 5, 6, 0].filter((day) => days.includes(day))
  if (week.length === 7) return 'Every day'
  const weekdays = week.map((day) => (day + 6) % 7)
  const inARow = weekdays.every((weekday, index) => index === 0 || weekday === (weekdays[index - 1] ?? 0) + 1)
  const [first = 0, last = 0] = [week[0], week.at(-1)]
  return inARow && week.length > 2
    ? `${dayNames[first]}–${dayNames[last]}`
    : week.map((day) => dayNames[day]).join(', ')
}
