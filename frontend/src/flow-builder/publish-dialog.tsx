import WarningFilled from '@ant-design/icons/WarningFilled'
import type { FlowKind } from '@parley/contracts/automation/flow-summary'
import type { FlowCheck, PublishProblem } from '@parley/contracts/automation/publication'
import { useQuery } from '@tanstack/react-query'
import { Button, Checkbox, Input, Radio } from 'antd'
import { type ReactNode, useId, useState } from 'react'
import { ApiError } from '../lib/api.ts'
import { explain } from '../lib/explain.ts'
import { counted } from '../lib/format.ts'
import { FormDialog } from '../ui/dialog.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { SkeletonBar } from '../ui/skeleton.tsx'
import { toast } from '../ui/toast.ts'
import type { FlowRuns, RunningChoice } from './flow-runs.ts'
import type { FlowStatusName } from './flow-status.tsx'
import styles from './publish-dialog.module.css'

interface Props {
  flow: {
    readonly id: string
    readonly name: string
    readonly version: number
    readonly status: FlowStatusName
    readonly publishedVersion?: number | undefined
  }
  runs: Pick<FlowRuns, 'kind' | 'checkOptions' | 'usePublish'>
  /** Version to be published once more; absent: the draft. */
  number?: number | undefined
  open: boolean
  /** Names a node for the person, where the flow is at hand. */
  nameOf?: (nodeId: string) => string | undefined
  /** Leads to a node of the builder. */
  onReveal?: (nodeId: string) => void
  onClose: () => void
}

function leadOf(kind: FlowKind, published: number | undefined, old: number | undefined): string {
  if (published === undefined) return `This is the first version. Customers meet it once the ${kind} runs.`
  const now = `Version ${published} ${kind === 'bot' ? 'answers customers' : 'is published'} now.`
  return old === undefined
    ? `${now} The draft takes its place.`
    : `${now} Version ${old} takes its place as version ${published + 1}; the draft stays as it is.`
}

const keyOf = ({ code, nodeId }: PublishProblem) => (nodeId === undefined ? code : `${code}:${nodeId}`)

/** Publishes a draft: what is in the way, what has to be accepted, and what becomes of running ones. */
export function PublishDialog(props: Props) {
  const { flow, runs, number: old, open, onClose } = props
  const check = useQuery({ ...runs.checkOptions(flow.id, old), enabled: open })
  const [accepted, setAccepted] = useState<ReadonlySet<string>>(new Set())
  const [running, setRunning] = useState<RunningChoice>('finish')
  const [note, setNote] = useState('')
  const noteId = useId()
  const [start, setStart] = useState(true)
  const publish = runs.usePublish(flow.id, old)
  const problems = check.data?.problems ?? []
  const critical = problems.filter(({ severity }) => severity === 'critical')
  const warnings = problems.filter(({ severity }) => severity === 'warning')
  const unaccepted = warnings.filter((problem) => !accepted.has(keyOf(problem)))
  const isPaused = flow.status === 'paused'
  const starts = isPaused && start
  const reset = () => {
    setAccepted(new Set())
    setRunning('finish')
    setNote('')
    setStart(true)
  }
  const submit = async () => {
    try {
      const { number, moved } = await publish.mutateAsync({
        running,
        accept: [...accepted],
        ...(note.trim() !== '' && { note: note.trim() }),
        ...(starts && { start: true }),
        version: flow.version,
      })
      const movedOver = moved > 0 ? ` ${counted(moved, runs.kind === 'bot' ? 'session' : 'run')} moved to it.` : ''
      toast.success(`Version ${number} of ${flow.name} is published${starts ? ' and running' : ''}.${movedOver}`)
      onClose()
    } catch (error) {
      // A new check shows what others have changed meanwhile.
      if (error instanceof ApiError && error.status === 409) void check.refetch()
      toast.error(explain(error, `${flow.name} could not be published.`))
    }
  }
  return (
    <FormDialog
      open={open}
      title={old === undefined ? `Publish ${flow.name}` : `Publish version ${old} again`}
      lead={leadOf(runs.kind, flow.publishedVersion, old)}
      submitLabel={starts ? 'Publish and Start' : 'Publish'}
      submitDisabled={!check.data || critical.length > 0 || unaccepted.length > 0}
      pending={publish.isPending}
      width={560}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
      onClose={onClose}
      onClosed={reset}
    >
      {check.data ? (
        <>
          <Problems title="Has to be mended" problems={critical} {...props} />
          <Problems title="Please confirm" problems={warnings} {...props}>
            {(problem) => (
              <Checkbox
                checked={accepted.has(keyOf(problem))}
                aria-label={`Accept: ${problem.sentence}`}
                onChange={({ target }) =>
                  setAccepted((before) => {
                    const after = new Set(before)
                    target.checked ? after.add(keyOf(problem)) : after.delete(keyOf(problem))
                    return after
                  })
                }
              />
            )}
          </Problems>
          {problems.length === 0 && <p className={styles['fine']}>No problems. This flow can run.</p>}
          {critical.length === 0 && (
            <>
              <Running kind={runs.kind} check={check.data} value={running} onChange={setRunning} />
              <label className={styles['note']} htmlFor={noteId}>
                Note <span className={styles['quiet']}>(optional)</span>
                <Input
                  id={noteId}
                  value={note}
                  maxLength={500}
                  dir="auto"
                  placeholder="What has changed"
                  onChange={({ target }) => setNote(target.value)}
                />
              </label>
              {isPaused && (
                <Checkbox checked={start} onChange={({ target }) => setStart(target.checked)}>
                  Start the {runs.kind} now
                </Checkbox>
              )}
            </>
          )}
        </>
      ) : check.isError && !check.isFetching ? (
        <ErrorState
          message={explain(check.error, 'The flow could not be checked.')}
          onRetry={() => void check.refetch()}
        />
      ) : (
        <SkeletonBar height="120px" />
      )}
    </FormDialog>
  )
}

function Problems({
  title,
  problems,
  nameOf,
  onReveal,
  children,
}: Pick<Props, 'nameOf' | 'onReveal'> & {
  title: string
  problems: readonly PublishProblem[]
  children?: (problem: PublishProblem) => ReactNode
}) {
  if (problems.length === 0) return null
  return (
    <section className={styles['section']}>
      <h3>{title}</h3>
      <ul className={styles['problems']} aria-label={title}>
        {problems.map((problem) => {
          const { nodeId, sentence, severity } = problem
          const name = nodeId === undefined ? undefined : nameOf?.(nodeId)
          return (
            <li key={`${keyOf(problem)} ${sentence}`} data-severity={severity}>
              {children?.(problem) ?? <WarningFilled aria-hidden />}
              <span>
                {name !== undefined && <b dir="auto">{name} </b>}
                {sentence}
                {nodeId !== undefined && onReveal && (
                  <Button type="link" size="small" onClick={() => onReveal(nodeId)}>
                    Show
                  </Button>
                )}
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function Running({
  kind,
  check: { running, movable },
  value,
  onChange,
}: {
  kind: FlowKind
  check: FlowCheck
  value: RunningChoice
  onChange: (choice: RunningChoice) => void
}) {
  if (running === 0) return null
  return (
    <section className={styles['section']}>
      <h3 id="running-sessions">{counted(running, kind === 'bot' ? 'session' : 'run')} on older versions</h3>
      <Radio.Group
        aria-labelledby="running-sessions"
        value={value}
        onChange={({ target }) => onChange(target.value)}
        vertical
        options={[
          { value: 'finish', label: 'Let them finish as they began' },
          {
            value: 'move',
            label: `Move them to the new version (${movable === running ? 'all of them' : `${movable} can, the others finish`})`,
            disabled: movable === 0,
          },
          { value: 'end', label: kind === 'bot' ? 'End them and hand the conversations to people' : 'End them' },
        ]}
      />
    </section>
  )
}
