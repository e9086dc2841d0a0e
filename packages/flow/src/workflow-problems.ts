import type { WorkflowStart } from '@parley/contracts/automation/triggers'
import type { Condition, ConditionGroup } from '@parley/contracts/contacts/conditions'
import type { Report } from './keyword-problems.ts'
import type { ReadNode, SettingsOf } from './program.ts'
import { contactFields, eventFields } from './workflow-events.ts'

type Trigger = ReadNode & { readonly settings: SettingsOf<'event'> }

/**
 * Reports what keeps a workflow's triggers from working, and steps that fire one of them.
 * @param attributes names of the defined fields of contacts; absent: they are not checked.
 */
export function workflowProblems(
  nodes: readonly ReadNode[],
  attributes: ReadonlySet<string> | undefined,
  report: Report,
): void {
  const triggers = nodes.filter((node): node is Trigger => node.settings.kind === 'event')
  for (const { id, settings } of nodes) {
    if (settings.kind !== 'event' && settings.kind !== 'schedule' && settings.kind !== 'hook') continue
    for (const { field } of conditionsIn(settings.filter))
      if (!isKnown(field, settings.kind === 'event' ? settings.event : settings.kind, attributes))
        report('unknown_filter_field', id, `“${field}” is no field of this event or of contacts. Choose another.`)
  }
  for (const { id, settings } of nodes) {
    const fired = firedBy(settings)
    if (!fired || !triggers.some((trigger) => mayFit(trigger.settings, fired))) continue
    const sentence =
      'This step fires a trigger of this workflow. What the workflow itself causes does not start it again.'
    report('fires_itself', id, sentence, { severity: 'warning' })
  }
}

const conditionsIn = (group: ConditionGroup | undefined): Condition[] =>
  (group?.conditions ?? []).flatMap((entry) => ('conditions' in entry ? conditionsIn(entry) : [entry]))

function isKnown(field: string, event: WorkflowStart, attributes: ReadonlySet<string> | undefined): boolean {
  if (contactFields.some((known) => known === field) || eventFields[event].includes(field)) return true
  return attributes === undefined || attributes.has(field.replace(/^attributes\./, ''))
}

/** Returns the event that a step causes, as triggers see it. */
interface Fired {
  readonly event: WorkflowStart
  readonly field: string
  readonly value: string
}

function firedBy(settings: ReadNode['settings']): Fired | undefined {
  switch (settings.kind) {
    case 'add_tag':
      return { event: 'contact.tag_added', field: 'event.tag', value: settings.tag }
    case 'remove_tag':
      return { event: 'contact.tag_removed', field: 'event.tag', value: settings.tag }
    case 'set_attribute':
      return { event: 'contact.field_changed', field: 'event.field', value: settings.attribute }
    case 'close':
      return { event: 'conversation.closed', field: '', value: '' }
    case 'assign':
      return settings.to.kind === 'member' ? { event: 'conversation.assigned', field: '', value: '' } : undefined
    default:
      return undefined
  }
}

/** Returns whether what a step causes may fit a trigger: its filter asks for nothing else by name. */
const mayFit = ({ event, filter }: Trigger['settings'], fired: Fired): boolean =>
  event === fired.event &&
  !(filter?.conditions ?? []).some(
    (entry) =>
      filter?.match === 'all' &&
      !('conditions' in entry) &&
      entry.field === fired.field &&
      entry.comparison === 'equals' &&
      String(entry.value).trim().toLowerCase() !== fired.value.toLowerCase(),
  )
