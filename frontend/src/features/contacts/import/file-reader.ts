import type { Batch, FileFormat } from './batches.ts'
import type { ImportPlan } from './check-row.ts'
import { FileProblem } from './limits.ts'
import type { Answer, Request } from './messages.ts'
import type { OpenedFile } from './open-file.ts'

const unreadable = 'The file could not be read. It may have been moved or changed meanwhile: choose it again.'

/**
 * What stands in a file, read in a worker.
 * @throws FileProblem in words for the person.
 */
export async function readHead(file: File): Promise<OpenedFile> {
  let opened: OpenedFile | undefined
  await work({ kind: 'open', file, name: file.name }, (answer) => {
    if (answer.kind === 'opened') opened = answer.opened
    return answer.kind === 'opened'
  })
  if (!opened) throw new FileProblem(unreadable)
  return opened
}

/**
 * Reads every row in a worker and hands them over batch by batch; a few may be worked on at once.
 * @param signal stops at once.
 * @throws FileProblem, or whatever `onBatch` throws.
 */
export async function readBatches(
  request: { file: File; format: FileFormat; plan: ImportPlan },
  onBatch: (batch: Batch) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const pending: Promise<void>[] = []
  let failure: unknown
  const finish = () => Promise.all(pending)
  await work(
    { kind: 'run', ...request },
    (answer, more, fail) => {
      if (answer.kind === 'batch')
        pending.push(
          onBatch(answer.batch).then(more, (error: unknown) => {
            failure ??= error
            fail(error)
          }),
        )
      return answer.kind === 'end'
    },
    signal,
  ).finally(finish)
  // The last batches are worked on after the file has been read.
  if (failure !== undefined) throw failure
}

type OnAnswer = (answer: Answer, more: () => void, fail: (error: unknown) => void) => boolean

/** One worker for one piece of work; resolves once `onAnswer` says that it is over. */
function work(request: Request, onAnswer: OnAnswer, signal?: AbortSignal): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const worker = new Worker(new URL('./import.worker.ts', import.meta.url), { type: 'module' })
    const settle = (end: () => void) => {
      worker.terminate()
      signal?.removeEventListener('abort', onAbort)
      end()
    }
    const fail = (error: unknown) => settle(() => reject(error))
    const onAbort = () => fail(signal?.reason)
    signal?.addEventListener('abort', onAbort)
    worker.addEventListener('error', () => fail(new FileProblem(unreadable)))
    worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
      if (data.kind === 'failed') fail(new FileProblem(data.message ?? unreadable))
      else if (onAnswer(data, () => worker.postMessage({ kind: 'more' } satisfies Request), fail)) settle(resolve)
    })
    worker.postMessage(request)
  })
}
