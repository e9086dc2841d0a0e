import {
  type Audience,
  type Campaign,
  type Missed,
  missedKinds,
  type NewCampaign,
  type VariableSource,
} from '@parley/contracts/campaigns'
import { recentDaysProblem, recentDaysSchema } from '@parley/contracts/recent-messages'
import { momentOf } from '@parley/contracts/zoned-time'
import { z } from 'zod'
import type { AudienceQuestion } from '../api.ts'
import { type Step, steps } from './steps.ts'

const variableSchema = z.object({
  /** `text`, or the contact's field that it is filled from. */
  source: z.string(),
  text: z.string(),
  fallback: z.string(),
})

const usualRecentDays = 7

export const draftFields = z.object({
  name: z.string(),
  kind: z.enum(['segment', 'tags', 'contacts', 'campaign']),
  segmentId: z.string(),
  tags: z.array(z.string()),
  contacts: z.array(z.object({ value: z.string(), label: z.string() })),
  /** The campaign that it follows, and whom of it; drafts of older versions do not tell. */
  earlierId: z.string().catch(''),
  earlierName: z.string().catch(''),
  missed: z.enum(missedKinds).catch('not_read'),
  /** Whether it leaves out who had marketing in so many days; drafts of older versions do not tell. */
  skipsRecent: z.boolean().catch(false),
  recentDays: z.number().nullable().catch(usualRecentDays),
  templateId: z.string(),
  variables: z.record(z.string(), variableSchema),
  when: z.enum(['now', 'later']),
  date: z.string(),
  time: z.string(),
  numberId: z.string(),
  /** Drafts of older versions do not tell. */
  anyHour: z.boolean().catch(false),
})

/** A new broadcast as the steps hold it: every choice is kept, also those that another choice hides. */
export type Draft = z.infer<typeof draftFields>

export const emptyDraft: Draft = {
  name: '',
  kind: 'segment',
  segmentId: '',
  tags: [],
  contacts: [],
  earlierId: '',
  earlierName: '',
  missed: 'not_read',
  skipsRecent: false,
  recentDays: usualRecentDays,
  templateId: '',
  variables: {},
  when: 'now',
  date: '',
  time: '10:00',
  numberId: '',
  anyHour: false,
}

/** What a draft is judged by, beyond itself. */
export interface DraftContext {
  /** Keys of a template; `undefined` of one that cannot be sent. A form is judged before the page shows its change. */
  readonly placeholdersOf: (templateId: string) => readonly string[] | undefined
  readonly now: Date
  readonly timeZone: string
}

interface DraftProblem {
  readonly path: readonly string[]
  readonly message: string
}

const most = { name: 120, text: 200, contacts: 1000, tags: 50 }

/** Who the draft is for; `undefined` until somebody is chosen. */
export function audienceOf({ kind, segmentId, tags, contacts, earlierId, missed }: Draft): Audience | undefined {
  if (kind === 'campaign') return earlierId === '' ? undefined : { kind, campaignId: earlierId, missed }
  if (kind === 'segment') return segmentId === '' ? undefined : { kind, segmentId }
  if (kind === 'tags') return tags.length === 0 ? undefined : { kind, tags }
  return contacts.length === 0 ? undefined : { kind, contactIds: contacts.map(({ value }) => value) }
}

/** In how many days nobody may have had marketing; `undefined` where that does not matter, or is no number that is taken. */
const recentDaysOf = ({ skipsRecent, recentDays }: Draft): number | undefined =>
  skipsRecent ? recentDaysSchema.safeParse(recentDays).data : undefined

/** What the numbers of a draft are counted by; `undefined` until somebody is chosen. */
export function questionOf(draft: Draft, timeZone: string, templateId = ''): AudienceQuestion | undefined {
  const audience = audienceOf(draft)
  if (!audience) return undefined
  const recentDays = recentDaysOf(draft)
  const at = recentDays !== undefined && draft.when === 'later' ? momentOf(draft, timeZone) : undefined
  return {
    audience,
    ...(templateId && { templateId }),
    ...(recentDays !== undefined && { recentDays }),
    ...(at && { scheduledFor: at.toISOString() }),
  }
}

/** The same message once more, to those whom a campaign has missed: everything else is as it was. */
export const followUp = (
  { id, name, templateId, numberId, variables, recentDays }: Campaign,
  missed: Missed,
): Partial<Draft> & { readonly earlierId: string } => ({
  name: `${name.slice(0, most.name - 6)} again`,
  kind: 'campaign',
  earlierId: id,
  earlierName: name,
  missed,
  skipsRecent: recentDays !== undefined,
  recentDays: recentDays ?? usualRecentDays,
  templateId,
  numberId,
  variables: Object.fromEntries(
    Object.entries(variables).map(([key, source]) => [
      key,
      source.kind === 'text'
        ? { source: 'text', text: source.text, fallback: '' }
        : { source: source.field, text: '', fallback: source.fallback },
    ]),
  ),
})

const problemsOf: Record<Step, (draft: Draft, context: DraftContext) => DraftProblem[]> = {
  audience: (draft) => {
    const problems: DraftProblem[] = []
    const name = draft.name.trim()
    if (name === '') problems.push({ path: ['name'], message: 'Enter a name' })
    if (name.length > most.name) problems.push({ path: ['name'], message: `At most ${most.name} characters` })
    if (draft.kind === 'segment' && draft.segmentId === '')
      problems.push({ path: ['segmentId'], message: 'Choose a segment' })
    if (draft.kind === 'tags' && draft.tags.length === 0)
      problems.push({ path: ['tags'], message: 'Choose at least one tag' })
    if (draft.kind === 'contacts' && draft.contacts.length === 0)
      problems.push({ path: ['contacts'], message: 'Choose at least one contact' })
    if (draft.kind === 'contacts' && draft.contacts.length > most.contacts)
      problems.push({ path: ['contacts'], message: `At most ${most.contacts} contacts; use a tag for more` })
    if (draft.skipsRecent && recentDaysOf(draft) === undefined)
      problems.push({ path: ['recentDays'], message: recentDaysProblem })
    return problems
  },
  template: ({ templateId, variables }, { placeholdersOf }) =>
    placeholdersOf(templateId)?.flatMap((key) => variableProblems(key, variables[key])) ?? [
      { path: ['templateId'], message: 'Choose a template' },
    ],
  schedule: ({ when, date, time, numberId }, { now, timeZone }) => {
    const problems: DraftProblem[] = []
    if (numberId === '') problems.push({ path: ['numberId'], message: 'Choose a number' })
    if (when === 'now') return problems
    if (date === '') problems.push({ path: ['date'], message: 'Choose a date' })
    if (time === '') problems.push({ path: ['time'], message: 'Choose a time' })
    const at = momentOf({ date, time }, timeZone)
    if (at && at.getTime() <= now.getTime())
      problems.push({ path: ['time'], message: 'That time has passed: choose a later one' })
    return problems
  },
  review: () => [],
}

function variableProblems(key: string, variable: Draft['variables'][string] | undefined): DraftProblem[] {
  const isText = (variable?.source ?? 'text') === 'text'
  const field = isText ? 'text' : 'fallback'
  const value = variable?.[field].trim() ?? ''
  const problem = (message: string): DraftProblem[] => [{ path: ['variables', key, field], message }]
  if (value === '') return problem(isText ? 'Enter a value' : 'Enter a fallback for contacts without this field')
  if (value.length > most.text) return problem(`At most ${most.text} characters`)
  // WhatsApp refuses such values (errors 132012 and 132018).
  return /[\n\t]| {5,}/.test(value)
    ? problem('WhatsApp does not allow line breaks, tabs or more than four spaces in a row')
    : []
}

/** Checks the steps up to `step`, so that one that lies ahead does not complain yet. */
export const draftSchemaUpTo = (step: Step, context: DraftContext) =>
  draftFields.superRefine((draft, check) => {
    for (const before of steps.slice(0, steps.indexOf(step) + 1))
      for (const { path, message } of problemsOf[before](draft, context))
        check.addIssue({ code: 'custom', path: [...path], message })
  })

/** The first step that is not finished; the review if all are. Nothing behind it can be opened. */
export const firstOpenStep = (draft: Draft, context: DraftContext): Step =>
  steps.find((step) => problemsOf[step](draft, context).length > 0) ?? 'review'

export function sourceOf(variable: Draft['variables'][string] | undefined): VariableSource {
  const { source = 'text', text = '', fallback = '' } = variable ?? {}
  return source === 'text'
    ? { kind: 'text', text: text.trim() }
    : { kind: 'field', field: source, fallback: fallback.trim() }
}

/** What is sent. @throws if nobody is chosen, which the first step does not let through. */
export function campaignOf(draft: Draft, { placeholdersOf, timeZone }: DraftContext): NewCampaign {
  const audience = audienceOf(draft)
  if (!audience) throw new RangeError('The draft has no audience.')
  const at = draft.when === 'later' ? momentOf(draft, timeZone) : undefined
  const recentDays = recentDaysOf(draft)
  const placeholders = placeholdersOf(draft.templateId) ?? []
  return {
    name: draft.name.trim(),
    audience,
    numberId: draft.numberId,
    templateId: draft.templateId,
    variables: Object.fromEntries(placeholders.map((key) => [key, sourceOf(draft.variables[key])])),
    ...(at && { scheduledFor: at.toISOString() }),
    ...(draft.anyHour && { anyHour: true as const }),
    ...(recentDays !== undefined && { recentDays }),
  }
}
