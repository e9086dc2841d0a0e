import { missedKinds, tagMatches } from '@parley/contracts/campaigns/campaign-fields'
import { failureClasses } from '@parley/contracts/campaigns/failure-classes'
import { recentDaysProblem, recentDaysSchema } from '@parley/contracts/campaigns/recent-messages'
import {
  filePlaceholders,
  type RecipientFile,
  recipientFileProblems,
} from '@parley/contracts/campaigns/recipient-files'
import { momentOf } from '@parley/contracts/core/zoned-time'
import type { HeaderFileKind } from '@parley/contracts/templates/template-headers'
import { templateLimits } from '@parley/contracts/templates/template-limits'
import { z } from 'zod'
import { type Step, steps } from './steps.ts'

const variableSchema = z.object({
  /** `text`, or the contact's field that it is filled from. */
  source: z.string(),
  text: z.string(),
  fallback: z.string(),
})

export const draftValues = z.object({
  name: z.string(),
  kind: z.enum(['segment', 'tags', 'contacts', 'import', 'campaign']),
  segmentId: z.string(),
  tags: z.array(z.string()),
  /** Match mode for several tags. */
  match: z.enum(tagMatches),
  contacts: z.array(z.object({ value: z.string(), label: z.string() })),
  importId: z.string(),
  /** Set where contacts with one of these tags, or in one of these segments, are left out. */
  leavesOut: z.boolean(),
  withoutTags: z.array(z.string()),
  withoutSegments: z.array(z.string()),
  /** The campaign that it follows, and whom of it. */
  earlierId: z.string(),
  earlierName: z.string(),
  missed: z.enum(missedKinds),
  /** Classes of failed recipients; empty for all. */
  classes: z.array(z.enum(failureClasses)),
  /** Set where contacts who recently had marketing are left out. */
  skipsRecent: z.boolean(),
  recentDays: z.number().nullable(),
  templateId: z.string(),
  variables: z.record(z.string(), variableSchema),
  /** File above the text, where each recipient gets their own. */
  recipientFile: z.object({
    isOwn: z.boolean(),
    from: z.enum(['address', 'field']),
    address: z.string(),
    field: z.string(),
    fileName: z.string(),
    fields: z.record(z.string(), z.string()),
  }),
  when: z.enum(['now', 'later']),
  date: z.string(),
  time: z.string(),
  numberId: z.string(),
  anyHour: z.boolean(),
  /** Set where recipients that WhatsApp holds back get it once more. */
  retryHeldBack: z.boolean(),
})

/** A broadcast as the steps hold it: every choice is kept, also those that another choice hides. */
export type Draft = z.infer<typeof draftValues>

export const emptyDraft: Draft = {
  name: '',
  kind: 'segment',
  segmentId: '',
  tags: [],
  match: 'any',
  contacts: [],
  importId: '',
  leavesOut: false,
  withoutTags: [],
  withoutSegments: [],
  earlierId: '',
  earlierName: '',
  missed: 'not_read',
  classes: [],
  skipsRecent: false,
  recentDays: 7,
  templateId: '',
  variables: {},
  recipientFile: { isOwn: false, from: 'address', address: '', field: '', fileName: '', fields: {} },
  when: 'now',
  date: '',
  time: '10:00',
  numberId: '',
  anyHour: false,
  retryHeldBack: false,
}

/** Data that a draft is checked against. */
export interface DraftContext {
  /** Keys of a template; `undefined` of one that cannot be sent. A form is judged before the page shows its change. */
  readonly placeholdersOf: (templateId: string) => readonly string[] | undefined
  /** Kind of the file above the text of a template; `undefined` where there is none. */
  readonly fileKindOf: (templateId: string) => HeaderFileKind | undefined
  readonly now: Date
  /** Time zone of the workspace, by which a schedule goes. */
  readonly timeZone: string
}

interface DraftProblem {
  readonly path: readonly string[]
  readonly message: string
}

export const most = { name: 120, text: templateLimits.value, contacts: 1000, tags: 50, segments: 20 }

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
    if (draft.kind === 'import' && draft.importId === '')
      problems.push({ path: ['importId'], message: 'Choose an import' })
    if (draft.leavesOut && draft.withoutTags.length + draft.withoutSegments.length === 0)
      problems.push({ path: ['withoutTags'], message: 'Choose a tag or segment, or switch this off' })
    if (draft.leavesOut && draft.withoutTags.length > most.tags)
      problems.push({ path: ['withoutTags'], message: `At most ${most.tags} tags` })
    if (draft.leavesOut && draft.withoutSegments.length > most.segments)
      problems.push({ path: ['withoutSegments'], message: `At most ${most.segments} segments` })
    if (draft.skipsRecent && !recentDaysSchema.safeParse(draft.recentDays).success)
      problems.push({ path: ['recentDays'], message: recentDaysProblem })
    return problems
  },
  template: (draft, { placeholdersOf, fileKindOf }) => {
    const keys = placeholdersOf(draft.templateId)
    if (!keys) return [{ path: ['templateId'], message: 'Choose a template' }]
    const file = recipientFileOf(draft, fileKindOf(draft.templateId))
    const ofFile = Object.entries(file ? recipientFileProblems(file) : {})
    return [
      ...keys.flatMap((key) => variableProblems(key, draft.variables[key])),
      ...ofFile.map(([path, message]) => ({ path: ['recipientFile', ...path.split('.')], message })),
    ]
  },
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

/** Returns the file of each recipient; `undefined` where everybody gets the same. */
export function recipientFileOf({ recipientFile }: Draft, kind: HeaderFileKind | undefined): RecipientFile | undefined {
  const { isOwn, from, address, field, fileName, fields } = recipientFile
  if (!isOwn || !kind) return undefined
  const named = kind === 'document' && fileName.trim() !== '' && { fileName: fileName.trim() }
  const file: RecipientFile =
    from === 'address' ? { from, address: address.trim(), fields, ...named } : { from, field, fields, ...named }
  const used = filePlaceholders(file).flatMap((key) => (fields[key] ? [[key, fields[key]]] : []))
  return { ...file, fields: Object.fromEntries(used) }
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
  draftValues.superRefine((draft, check) => {
    for (const before of steps.slice(0, steps.indexOf(step) + 1))
      for (const { path, message } of problemsOf[before](draft, context))
        check.addIssue({ code: 'custom', path: [...path], message })
  })

/** The first step that is not finished; the review if all are. Nothing behind it can be opened. */
export const firstOpenStep = (draft: Draft, context: DraftContext): Step =>
  steps.find((step) => problemsOf[step](draft, context).length > 0) ?? 'review'
