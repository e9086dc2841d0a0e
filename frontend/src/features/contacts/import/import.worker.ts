import { batchesOf } from './batches.ts'
import { FileProblem } from './limits.ts'
import { type Answer, batchesAhead, type Request } from './messages.ts'
import { openFile } from './open-file.ts'

// Reads the file away from the page, so that 50 MB do not make it stutter.
let credits = batchesAhead
let wake = () => {}

const post = (answer: Answer) => self.postMessage(answer)

self.addEventListener('message', ({ data }: MessageEvent<Request>) => {
  if (data.kind === 'more') {
    credits += 1
    wake()
    return
  }
  const work = data.kind === 'open' ? open(data) : run(data)
  work.catch((error: unknown) =>
    post({ kind: 'failed', message: error instanceof FileProblem ? error.message : undefined }),
  )
})

async function open({ file, name }: Extract<Request, { kind: 'open' }>): Promise<void> {
  post({ kind: 'opened', opened: await openFile(file, name) })
}

async function run({ file, format, plan }: Extract<Request, { kind: 'run' }>): Promise<void> {
  for await (const batch of batchesOf(file, format, plan)) {
    while (credits === 0)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    credits -= 1
    post({ kind: 'batch', batch })
  }
  post({ kind: 'end' })
}
