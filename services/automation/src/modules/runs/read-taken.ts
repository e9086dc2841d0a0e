import { messagingInternalApi } from '@parley/contracts/automation/messaging-internal'
import { maxReplayInputs, type ReplayStop } from '@parley/contracts/automation/replays'
import type { Contact } from '@parley/contracts/contacts/contacts'
import { eventSchema, type RecordedEvent } from '@parley/contracts/platform/events'
import type { FlowInput } from '@parley/flow/inputs'
import { step } from '@parley/flow/interpreter'
import { changedBy } from '@parley/flow/play-script'
import type { Program } from '@parley/flow/program'
import type { RecordedInput } from '@parley/flow/replay-run'
import { type FlowState, idleState, type Person } from '@parley/flow/state'
import { happeningsOf, startedByHand, startedBySchedule } from '@parley/flow/workflow-events'
import { isId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { AskService } from '../../platform/platform.ts'
import { heardPart, partOf, wholeEvent } from './part-of.ts'
import { personOf } from './person-of.ts'
import type { RunInputRecord } from './run-inputs.model.ts'
import type { InputReference, RunInputs, TakenInput } from './run-inputs.ts'
import type { RunRecord } from './runs.model.ts'

/** Events, with whole texts, and the texts that messaging still keeps of what a run took. */
interface Kept {
  readonly events: ReadonlyMap<string, RecordedEvent>
  /** Texts by message: one that is deleted, or erased, is missing. */
  readonly texts: ReadonlyMap<string, string>
}

/** Maximum inputs that are read together, and events that one call asks for; no run has more. */
const maxTogether = maxReplayInputs

/** References of a run, or why it has none that can be replayed. */
interface Referred {
  readonly run: RunRecord
  readonly all: (Omit<RunInputRecord, 'taken'> & { readonly taken: TakenInput })[] | ReplayStop
  readonly ids: readonly string[]
}

const weightOf = ({ all, ids }: Referred): number => Math.max(typeof all === 'string' ? 0 : all.length, ids.length)

/** An input as it was taken; `person` where something of that time tells of them. */
interface Read {
  readonly input: FlowInput
  readonly person?: Person | undefined
}

/**
 * Reads what a run took, from the references beside it: words and fields come from messaging, whose retention and erasures decide alone.
 * If no event tells of the person, they are as the event before has left them with what the run did since, or else as today.
 */
export function createReadTaken({
  inputs,
  askMessaging,
  program,
}: {
  readonly inputs: Pick<RunInputs, 'of'>
  readonly askMessaging: AskService
  readonly program: (scope: WorkspaceScope, flowId: string, number: number) => Promise<Program | undefined>
}) {
  async function readKept(scope: WorkspaceScope, ids: readonly string[]): Promise<Kept> {
    const known = [...new Set(ids)].filter(isId)
    if (known.length === 0) return { events: new Map(), texts: new Map() }
    const { items, texts } = await askMessaging(scope, messagingInternalApi.eventsOf, { body: { ids: known } })
    const events = items.flatMap((item) => {
      const { data } = eventSchema.safeParse(item)
      // The schema has checked its data by its type.
      return data ? [data as object as RecordedEvent] : []
    })
    const whole = new Map(texts.map(({ messageId, text }) => [messageId, text]))
    return { events: new Map(events.map((event) => [event.id, wholeEvent(event, whole)])), texts: whole }
  }

  const readContact = async (scope: WorkspaceScope, { contactId }: RunRecord): Promise<Contact | undefined> =>
    (await askMessaging(scope, messagingInternalApi.contacts, { body: { of: { ids: [contactId] } } })).items[0]

  /** Reads the references of a run, and the ids of the events that they name. */
  async function refer(scope: WorkspaceScope, run: RunRecord): Promise<Referred> {
    const none = { run, ids: [] }
    if (run.contactName === undefined) return { ...none, all: 'erased' }
    const records = await inputs.of(scope, run.id, maxReplayInputs + 1)
    if (records.length > maxReplayInputs || records.some(({ taken }) => taken === ''))
      return { ...none, all: 'too_long' }
    // Records are written by this service alone.
    const all = records.map(({ taken, ...record }) => ({ ...record, taken: JSON.parse(taken) as TakenInput }))
    const named = all.flatMap(({ taken: { input } }) => (input.type === 'message' ? input.eventIds : []))
    if (named.length >= maxReplayInputs) return { ...none, all: 'too_long' }
    return { run, all, ids: [run.startedBy.eventId, ...named] }
  }

  /** @returns a run's inputs in a flow; where it came back from another bot, its first part there counts. */
  async function putBack(
    scope: WorkspaceScope,
    flowId: string,
    { run, all, kept }: Referred & { readonly kept: Kept },
  ): Promise<RecordedInput[] | ReplayStop> {
    if (typeof all === 'string') return all
    const result: RecordedInput[] = []
    let state: FlowState = idleState
    let person: Person | undefined
    for (const { taken, number, flowId: of, inputNo } of all) {
      const isNextPart = of !== flowId || taken.begins !== undefined
      if (isNextPart && result.length > 0) break
      const isTold = taken.input.type === 'message' || kept.events.has(run.startedBy.eventId)
      const needsContact = person === undefined && !isTold
      const contact = needsContact ? await readContact(scope, run) : undefined
      const read = readInput(taken.input, run, { kept, contact })
      if (typeof read === 'string') return read
      const version = await program(scope, of, number)
      if (!version) return 'version_gone'
      person = read.person ?? person ?? (contact && personOf(contact))
      if (!person) return 'words_gone'
      const { begins, input: _, ...rest } = taken
      if (begins?.knows && all[0]?.inputNo === inputNo) return 'no_record'
      const before = begins && {
        ...idleState,
        inputNo: begins.inputNo,
        ...(begins.knows && { session: state.session, formOf: state.formOf }),
      }
      const recorded = {
        ...rest,
        input: read.input,
        facts: { ...rest.facts, person },
        program: version,
        inputNo,
        before,
      }
      const stepped = step(version, before ?? state, read.input, recorded.facts, rest.brokenOff ? [] : rest.outcomes)
      state = stepped.state
      person = stepped.actions
        .filter((_action, index) => rest.outcomes[index]?.outcome === 'done')
        .reduce(changedBy, person)
      if (of === flowId) result.push(recorded)
    }
    return result
  }

  /** Yields what each run took in a flow, in the order of the runs: messaging is asked for several at once. */
  return async function* (
    scope: WorkspaceScope,
    flowId: string,
    runs: readonly RunRecord[],
  ): AsyncGenerator<RecordedInput[] | ReplayStop, undefined> {
    const waiting = [...runs]
    let next = waiting.shift()
    let referred = next && (await refer(scope, next))
    while (referred) {
      const together = []
      for (let count = 0; referred && count + weightOf(referred) <= maxTogether; ) {
        together.push(referred)
        count += weightOf(referred)
        next = waiting.shift()
        referred = next && (await refer(scope, next))
      }
      const kept = await readKept(
        scope,
        together.flatMap(({ ids }) => ids),
      )
      for (const one of together) yield putBack(scope, flowId, { ...one, kept })
    }
    return undefined
  }
}

/** Puts back what an input only refers to. */
function readInput(
  reference: InputReference,
  run: RunRecord,
  { kept, contact }: { kept: Kept; contact: Contact | undefined },
): Read | ReplayStop {
  switch (reference.type) {
    case 'message':
      return readMessage(reference, kept)
    case 'event':
      return readEvent(reference, run, { kept, contact })
    case 'http_answer': {
      const { hasValues, ...rest } = reference
      return hasValues ? 'no_answer' : { input: { ...rest, values: {} } }
    }
    default:
      return { input: reference }
  }
}

function readMessage(
  { eventIds, ...rest }: Extract<InputReference, { type: 'message' }>,
  { events, texts }: Kept,
): Read | ReplayStop {
  const parts = []
  for (const id of eventIds) {
    const event = events.get(id)
    const said = event?.type === 'message.changed' ? event.data.said : undefined
    const isKept = event?.type === 'message.changed' && texts.has(event.data.messageId)
    if (!said || !isKept) return 'words_gone'
    parts.push(heardPart(partOf(said), { names: said.choice, choice: rest.choice }))
  }
  const first = events.get(eventIds[0] ?? '')?.snapshot
  return first ? { input: { ...rest, parts }, person: personOf(first.contact) } : 'words_gone'
}

function readEvent(
  { event, triggerId, by, hasValues }: Extract<InputReference, { type: 'event' }>,
  { startedBy: { eventId, detail } }: RunRecord,
  { kept: { events, texts }, contact }: { kept: Kept; contact: Contact | undefined },
): Read | ReplayStop {
  if (hasValues) return 'no_answer'
  const named = { type: 'event' as const, event, ...(triggerId !== undefined && { triggerId }) }
  const recorded = events.get(eventId)
  if (recorded?.type === 'message.changed' && !texts.has(recorded.data.messageId)) return 'words_gone'
  const happening = recorded && happeningsOf(recorded).find((one) => one.event === event && one.detail === detail)
  if (happening && recorded.snapshot)
    return { input: { ...named, fields: happening.fields }, person: personOf(recorded.snapshot.contact) }
  const isByHand = event === 'manual' || event === 'schedule' || event === 'hook'
  if (!isByHand || !contact) return 'words_gone'
  const { fields } =
    event === 'manual'
      ? startedByHand(contact, by === 'api_key' ? by : 'user')
      : startedBySchedule(contact, { nodeId: triggerId ?? '', slot: '' })
  return { input: { ...named, fields }, person: personOf(contact) }
}
