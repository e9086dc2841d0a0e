import { setTimeout as wait } from 'node:timers/promises'
import type { SampleDataState } from '@parley/contracts/platform/sample-data'
import { endsWithin } from '@parley/service-kit/core/ends-within'
import { errors } from '@parley/service-kit/core/errors'
import { moveGateOf } from '@parley/service-kit/data/move-gate'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { LRUCache } from 'lru-cache'
import type { Platform } from '../../platform/platform.ts'
import type { Records } from '../../records.ts'
import { createSampleFigures } from '../analytics/sample-figures.ts'
import { createSampleCampaigns } from '../campaigns/sample-campaigns.ts'
import type { SampleNumbers } from '../channel/numbers/sample-numbers.ts'
import { makePeople, makeTemplates, type SimulatorAddresses } from '../channel/numbers/simulator-calls.ts'
import { createSampleContacts } from '../contacts/sample-contacts.ts'
import { createSampleConversations } from '../inbox/conversations/sample-conversations.ts'
import { createSampleMessages } from '../inbox/messages/sample-messages.ts'
import { createSampleSearch } from '../inbox/search/sample-search.ts'
import type { Media } from '../media/module.ts'
import { createSampleNotifications } from '../notifications/sample-notifications.ts'
import { createSampleTemplates, simulatedTemplates } from '../templates/sample-templates.ts'
import { createSampleWebhooks } from '../webhooks/sample-webhooks.ts'
import { createMakeSearchable } from './make-searchable.ts'
import type { SampleDataRepository } from './sample-data.repository.ts'
import { sampleRecordsOf } from './sample-records-of.ts'

const pollMs = 50
const renewMs = 5000
const maxWaitMs = 18_000
/** Maximum time that a call waits for the sample data of its workspace; the BFF would not wait much longer for the answer. */
const maxCallMs = 6000
/** Maximum time until a call that loads or clears is answered: remaining work continues, and an event announces its end. */
const maxAnswerMs = 5000

interface Dependencies extends Pick<Platform, 'mongo' | 'box' | 'transaction' | 'logger'> {
  readonly sampleStates: SampleDataRepository
  readonly sampleMedia: Media['sampleMedia']
  readonly sampleNumbers: SampleNumbers
  readonly readHours: Records['readHours']
}
type Simulator = SimulatorAddresses | undefined
interface Call {
  readonly needs: 'inbox' | 'everything'
  readonly reads: boolean
}

/** Loads the sample data into a workspace, once, and takes it out again. Whatever dies in the middle, the next call continues. */
export function createSampleDataService(deps: Dependencies) {
  const { mongo, transaction, logger } = deps
  const { sampleStates: states, sampleMedia: media, sampleNumbers: numbers } = deps
  const contacts = createSampleContacts(mongo)
  const conversations = createSampleConversations(mongo)
  const messages = createSampleMessages(mongo)
  const search = createSampleSearch(mongo)
  const templates = createSampleTemplates(mongo)
  const campaigns = createSampleCampaigns(mongo)
  const notifications = createSampleNotifications(mongo)
  const webhooks = createSampleWebhooks(deps)
  const figures = createSampleFigures(mongo, { zoneOf: async (scope) => (await deps.readHours(scope)).zone })
  /** Counts what goes on after the answer. */
  const gate = moveGateOf(mongo)
  /** Workspaces that this process has found settled. */
  const settled = new LRUCache<string, true>({ max: 10_000 })

  /**
   * Runs at the start of every call of a workspace: gives a new one the sample data where `onNew` says so, and finishes
   * interrupted work.
   * @param options.needs a call that needs only the lists of the inbox does not wait for the rest.
   * @param options.reads a call that changes nothing is answered from what is there where loading takes long: an event announces
   * its end.
   * @throws `service_unavailable` for a call that changes something where loading takes long.
   */
  async function settle(
    scope: WorkspaceScope,
    { needs, reads, ...options }: Call & { onNew: boolean; simulator: Simulator },
  ): Promise<void> {
    const { workspaceId } = scope
    if (settled.has(workspaceId)) return
    const first = settling.get(workspaceId) ?? begin(scope, options)
    settling.set(workspaceId, first)
    if (!(await endsWithin(first[needs], maxCallMs)) && !reads) throw notThereYet()
  }
  const settling = new Map<string, { readonly inbox: Promise<void>; readonly everything: Promise<void> }>()

  function begin(scope: WorkspaceScope, { onNew, simulator }: { onNew: boolean; simulator: Simulator }) {
    const inbox = Promise.withResolvers<void>()
    const everything = (async () => {
      const known = (await states.read(scope)) ?? (await states.begin(scope, await beginning(scope, onNew)))
      if (known?.state === 'loading' || known?.state === 'clearing') await finish(scope, simulator, inbox.resolve)
      settled.set(scope.workspaceId, true)
      connectNumbers(scope, simulator)
    })()
    everything.finally(() => settling.delete(scope.workspaceId)).then(inbox.resolve, inbox.reject)
    // A waiting caller receives the failure; where there is none, the next call continues.
    inbox.promise.catch(() => undefined)
    return { inbox: inbox.promise, everything }
  }

  /** Resolves once nothing is being loaded or cleared by this process. */
  async function rest(): Promise<void> {
    await Promise.allSettled([...settling.values()].map(({ everything }) => everything))
  }

  async function beginning(scope: WorkspaceScope, onNew: boolean): Promise<'none' | 'loading'> {
    return onNew && !(await contacts.areThereOthers(scope)) ? 'loading' : 'none'
  }

  async function state(scope: WorkspaceScope): Promise<SampleDataState> {
    return { state: (await states.read(scope))?.state ?? 'none' }
  }

  /** @returns the state once the work is done, or as it is after five seconds of it. */
  function load(scope: WorkspaceScope, simulator: Simulator): Promise<SampleDataState> {
    return answerSoon(scope, async () => {
      await states.begin(scope, 'none')
      await finish(scope, simulator)
      await states.start(scope, ['none', 'cleared'], 'loading')
      await finish(scope, simulator)
      connectNumbers(scope, simulator)
    })
  }

  /** Clears the sample data; answers as {@link load} does. */
  function clear(scope: WorkspaceScope, simulator: Simulator): Promise<SampleDataState> {
    return answerSoon(scope, async () => {
      await finish(scope, simulator)
      await states.start(scope, ['loaded'], 'clearing')
      await finish(scope, simulator)
    })
  }

  async function answerSoon(scope: WorkspaceScope, work: () => Promise<void>): Promise<SampleDataState> {
    const done = work()
    if (!(await endsWithin(done, maxAnswerMs)))
      done.catch((err: unknown) => logger.warn({ err, ...scope }, 'sample data was not loaded or cleared to the end'))
    return state(scope)
  }

  /**
   * Carries out what is under way, or waits for the process that does.
   * @param onInbox called once the lists of the inbox are complete, which is long before the rest.
   */
  async function finish(scope: WorkspaceScope, simulator: Simulator, onInbox = () => {}): Promise<void> {
    for (const end = Date.now() + maxWaitMs; ; await wait(pollMs)) {
      const record = await states.read(scope)
      if (record?.state !== 'loading' && record?.state !== 'clearing') return
      if (record.inboxReady) onInbox()
      const claimed = await states.claim(scope)
      if (!claimed && Date.now() > end) throw notThereYet()
      if (claimed?.state === 'loading')
        await gate.run(scope, () => carryOut(scope, 'loading', () => insert(scope, claimed.toldAt, onInbox)))
      if (claimed?.state === 'clearing')
        await gate.run(scope, () => carryOut(scope, 'clearing', () => remove(scope, simulator)))
    }
  }

  async function carryOut(scope: WorkspaceScope, what: 'loading' | 'clearing', work: () => Promise<void>) {
    const begun = performance.now()
    const renewal = setInterval(() => void states.renew(scope, what).catch(() => undefined), renewMs)
    try {
      await work()
    } catch (error) {
      await states.release(scope, what)
      throw error
    } finally {
      clearInterval(renewal)
    }
    const ended = await states.end(scope, what)
    if (!ended) return
    await transaction(async (tx) =>
      tx.emit({
        workspaceId: scope.workspaceId,
        type: 'sample_data.changed',
        by: { kind: 'system' },
        data: { state: ended.state },
      }),
    )
    logger.info({ ...scope, state: ended.state, ms: Math.round(performance.now() - begun) }, 'sample data')
  }

  /** Inserts first what the lists of the inbox show: 320 conversations take a moment, 18,000 contacts and messages do not. */
  async function insert(scope: WorkspaceScope, toldAt: Date, onInbox: () => void): Promise<void> {
    const sampleDataset = sampleRecordsOf(scope, toldAt)
    const talking = new Set(sampleDataset.conversations.map(({ contact }) => contact.id))
    const [first, others] = [true, false].map((is) => sampleDataset.contacts.filter(({ id }) => talking.has(id) === is))
    await Promise.all([
      numbers.insert(scope, sampleDataset.numbers),
      contacts.insert(scope, first ?? [], sampleDataset.tags),
      conversations.insert(scope, sampleDataset.conversations),
      notifications.insert(scope, sampleDataset.notifications),
      webhooks.insert(scope, sampleDataset.webhooks),
      figures.insert(scope, sampleDataset.figures, toldAt),
    ])
    await states.inboxIsReady(scope)
    onInbox()
    await Promise.all([
      contacts.insert(scope, others ?? [], []),
      templates.insert(scope, sampleDataset.templates),
      campaigns.insert(scope, sampleDataset.campaigns),
      media.insert(scope).then((fileIds) => messages.insert(scope, sampleDataset.messages, fileIds)),
    ])
  }

  /**
   * Removes the sample data. Conversations in which a member has written stay, with their contact and number, without the
   * sample's messages.
   */
  async function remove(scope: WorkspaceScope, simulator: Simulator): Promise<void> {
    for (const { conversationId, ...rest } of await messages.writtenIn(scope, await conversations.ids(scope)))
      await conversations.keep(scope, conversationId, rest)
    await campaigns.remove(scope)
    // Files are given up before messages: a process that continues after a kill finds the files through the messages.
    await media.giveUp(scope, await messages.files(scope))
    await messages.remove(scope)
    await search.remove(scope)
    await conversations.remove(scope)
    const named = await conversations.namedByOthers(scope, await contacts.ids(scope))
    await contacts.keep(scope, named.contactIds)
    await contacts.remove(scope)
    await templates.remove(scope)
    await numbers.remove(scope, named.numberIds, simulator)
    // Records that are gone can no longer be reported.
    await notifications.remove(scope)
    await webhooks.remove(scope)
    await figures.remove(scope)
  }

  /** Connects numbers in the background: the simulator may be slow, or not run at all. */
  function connectNumbers(scope: WorkspaceScope, simulator: Simulator): void {
    if (!simulator) return
    const connect = async () => {
      const claimed = await states.claimNumbers(scope)
      if (!claimed) return
      const sampleDataset = sampleRecordsOf(scope, claimed.toldAt)
      const templatesThere = simulatedTemplates(scope, sampleDataset.templates)
      await numbers.connect(scope, simulator, async ({ phoneNumberId, accountId }, numberId) => {
        await makePeople(simulator, phoneNumberId, sampleDataset.peopleOf(numberId))
        await makeTemplates(simulator, accountId, templatesThere)
      })
      await states.numbersAreSimulated(scope)
    }
    gate.run(scope, connect).catch((error: unknown) => {
      logger.warn({ err: error, ...scope }, 'numbers of the sample data are not on the simulator')
    })
  }

  return { settle, rest, state, load, clear, makeSearchable: createMakeSearchable({ states, search, logger }) }
}

const notThereYet = () => errors.serviceUnavailable(new Error('the sample data is still being loaded or cleared'))
