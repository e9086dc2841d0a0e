import { randomUUID } from 'node:crypto'
import { headerFiles } from '@parley/contracts/templates/template-headers'
import type { Clock } from '@parley/service-kit/core/clock'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { JobRecord } from '@parley/service-kit/queue/jobs'
import { laneOf } from '@parley/service-kit/queue/lanes'
import { classifyRefusal, isStopped } from '../../../whatsapp/error-classes.ts'
import { codeOf, errorCodes } from '../../../whatsapp/error-codes.ts'
import { fileFaultCodes } from '../../../whatsapp/file-errors.ts'
import { GraphCallFailed } from '../../../whatsapp/graph-answer.ts'
import type { GraphClients } from '../../../whatsapp/graph-clients.ts'
import type { NumberRecord, NumbersService } from '../../channel/numbers/numbers.service.ts'
import type { MediaService } from '../../media/media.service.ts'
import type { OutboundMedia } from '../../media/outbound-media.ts'
import type { FetchFile } from './fetch-file.ts'
import { FileFault, faultOf, HostBusy } from './file-faults.ts'
import type { RecipientFileRecord } from './recipient-files.model.ts'
import type { RecipientFilesRepository } from './recipient-files.repository.ts'

/** Files of one campaign that a worker has in hand: as many are fetched again at most after it was killed. */
const maxInHand = 4
/** Milliseconds of one job: other campaigns come in turn. */
const turnMs = 10_000
const fetchMs = 60_000
/** Longer than a fetch and an upload together may take. */
const leaseMs = 3 * 60_000
/** Pauses after temporary faults; after the last attempt the file has failed. */
const pausesMs = [1000, 5000, 30_000, 120_000]
const maxPauseMs = 5 * 60_000
/** Pause where the number, or WhatsApp, is at fault: it does not count as an attempt. */
const stoppedPauseMs = 30_000
/** Pause where others have their turn at the host. */
const busyPauseMs = 5000

interface Dependencies {
  readonly recipientFiles: Pick<RecipientFilesRepository, 'claim' | 'due' | 'end' | 'noteFetched'>
  readonly fetchFile: FetchFile
  readonly media: Pick<MediaService, 'keepFetched'>
  /** Has a file deleted later, unless something has it. */
  readonly releasedFiles: { readonly note: (scope: WorkspaceScope, mediaId: string) => Promise<void> }
  readonly outboundMedia: Pick<OutboundMedia, 'known' | 'upload'>
  readonly numbers: Pick<NumbersService, 'readToSend' | 'stop' | 'tokenOf'>
  readonly graphs: Pick<GraphClients, 'of'>
  readonly wakeSender: (lane: number) => void
  readonly now?: Clock
}

type Claimed = RecipientFileRecord & { readonly claim: string }

/**
 * Fetches the files that messages wait for and uploads each to WhatsApp, once. Each attempt is claimed in the database first: after a
 * kill only those in hand begin anew, and one that was fetched is not fetched again.
 */
export function createRecipientFileWork(deps: Dependencies) {
  const { recipientFiles: files, fetchFile, media, outboundMedia, numbers, graphs } = deps
  const { now = () => new Date() } = deps
  /** Uploads of this process: two addresses may lead to the same content. */
  const uploading = new Map<string, Promise<unknown>>()

  async function perform({ id: campaignId, workspaceId }: JobRecord, requeue: () => void): Promise<void> {
    const scope = { workspaceId }
    const until = Date.now() + turnMs
    let isMore = false
    async function inHand(): Promise<void> {
      for (;;) {
        if (Date.now() > until) {
          isMore = true
          return
        }
        const at = now()
        const claim = randomUUID()
        const leaseUntil = new Date(at.getTime() + leaseMs)
        const file = await files.claim(scope, campaignId, { now: at, claim, leaseUntil })
        if (!file) return
        await attempt({ ...file, claim })
      }
    }
    const ended = await Promise.allSettled(Array.from({ length: maxInHand }, inHand))
    for (const result of ended) if (result.status === 'rejected') throw result.reason
    if (isMore) requeue()
  }

  async function attempt(file: Claimed): Promise<void> {
    const { claim, numberId, workspaceId } = file
    const number = await numbers.readToSend({ workspaceId }, numberId)
    // Its messages end by themselves where the number is gone, and wait where it is stopped.
    if (!number) {
      const detail = 'Its number is no longer connected.'
      return files.end(file, claim, { state: 'failed', code: fileFaultCodes.gone, detail, endedAt: now() })
    }
    if (isStopped(number.stopped, { isTemplate: true })) return putBack(file, stoppedPauseMs)
    try {
      const mediaId = file.mediaId ?? (await fetch(file))
      if (mediaId === undefined) return
      await upload(file, number, mediaId)
      await files.end(file, claim, { state: 'ready', endedAt: now() })
    } catch (error) {
      await fail(file, number, error)
    }
    deps.wakeSender(laneOf(numberId))
  }

  /** Has it tried again without counting the attempt. */
  const putBack = (file: Claimed, pauseMs: number): Promise<void> =>
    files.end(file, file.claim, { dueAt: new Date(now().getTime() + pauseMs) })

  /** @returns undefined where another process has it in hand by now. */
  async function fetch(file: Claimed): Promise<string | undefined> {
    const { workspaceId, kind, address, claim } = file
    const { bytes: limitBytes } = headerFiles[kind]
    const stored = await fetchFile(address, { limitBytes, timeoutMs: fetchMs }, ({ body }) =>
      media.keepFetched({ workspaceId }, body, kind),
    )
    const { id: mediaId, type: mimeType, sizeBytes } = stored
    // Its record may be gone by now, or another process's: the file is deleted then, since nothing has it.
    await deps.releasedFiles.note({ workspaceId }, mediaId)
    return (await files.noteFetched(file, claim, { mediaId, mimeType, sizeBytes })) ? mediaId : undefined
  }

  async function upload({ workspaceId, kind }: Claimed, number: NumberRecord, mediaId: string): Promise<void> {
    const key = `${number.id}/${mediaId}`
    await uploading.get(key)?.catch(() => undefined)
    const scope = { workspaceId }
    if ((await outboundMedia.known(scope, number.id, [mediaId])).has(mediaId)) return
    const work = outboundMedia.upload(
      scope,
      { mediaId, numberId: number.id, fileName: kind },
      {
        graph: graphs.of(number.graphUrl),
        phoneNumberId: number.phoneNumberId,
        accessToken: numbers.tokenOf(number).reveal(),
      },
    )
    uploading.set(key, work)
    await work.finally(() => uploading.delete(key))
  }

  async function fail(file: Claimed, number: NumberRecord, error: unknown): Promise<void> {
    const { claim, attempts, workspaceId } = file
    const refusal = error instanceof GraphCallFailed ? error.refusal : undefined
    if (refusal && classifyRefusal(refusal).class === 'stop_number') {
      await numbers.stop({ workspaceId }, number.id, codeOf(refusal), refusal.message)
      return putBack(file, stoppedPauseMs)
    }
    if (error instanceof HostBusy) return putBack(file, busyPauseMs)
    // Trouble at WhatsApp says nothing about the file: it waits as messages do.
    if (error instanceof GraphCallFailed && !isOfFile(error)) return putBack(file, stoppedPauseMs)
    const fault = uploadFault(error) ?? faultOf(error)
    // The database is away, say: the lease ends, and it is tried again.
    if (!fault) throw error
    const pauseMs = pausesMs[attempts]
    if (!fault.isTemporary || pauseMs === undefined)
      return files.end(file, claim, { state: 'failed', code: fault.code, detail: fault.message, endedAt: now() })
    const dueAt = new Date(now().getTime() + Math.min(maxPauseMs, Math.max(pauseMs, fault.retryAfterMs)))
    await files.end(file, claim, { dueAt, attempts: attempts + 1 })
  }

  return { perform, due: () => files.due(now()) }
}

/** Returns the fault of a file that WhatsApp has not taken: with one code it may take it the next time. */
function uploadFault(error: unknown): FileFault | undefined {
  if (!(error instanceof GraphCallFailed)) return undefined
  const detail = `WhatsApp has not taken it: ${error.refusal?.message ?? error.message}`
  return new FileFault('wrong_type', detail, { temporary: error.refusal?.code === errorCodes.fileNotTaken })
}

/** Returns whether WhatsApp has refused the file itself. */
const isOfFile = ({ refusal }: GraphCallFailed): boolean =>
  refusal !== undefined &&
  (refusal.code === errorCodes.fileNotTaken || classifyRefusal(refusal).class === 'bad_request')
