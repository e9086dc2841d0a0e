import { retriedOutcomes, uncertainCodes } from '@parley/contracts/automation/run-endpoints'
import type { Run, RunStep } from '@parley/contracts/automation/runs'
import type { Workflow } from '@parley/contracts/automation/workflows'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Checkbox, Radio, Select } from 'antd'
import { useId, useState } from 'react'
import { nodeNameIn } from '../../flow-builder/flow-commands.tsx'
import { explain } from '../../lib/explain.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import fields from '../../ui/field.module.css'
import { popupInside } from '../../ui/popup-inside.ts'
import { toast } from '../../ui/toast.ts'
import { runs } from './api.ts'

interface Props {
  workflow: Workflow
  run: Run
  steps: readonly RunStep[]
  /** Told the id of the new run. */
  onRetried: (run: string) => void
}

/** Opens the dialog that tries a failed run again; nothing for any other run. */
export function RetryRun(props: Props) {
  const [isOpen, setOpen] = useState(false)
  const { outcome, retriedBy } = props.run
  if (!outcome || !retriedOutcomes.includes(outcome) || retriedBy !== undefined) return null
  return (
    <>
      <Button size="small" type="primary" onClick={() => setOpen(true)}>
        Try again…
      </Button>
      <RetryDialog {...props} open={isOpen} onClose={() => setOpen(false)} />
    </>
  )
}

function RetryDialog({
  workflow,
  run,
  steps,
  open,
  onRetried,
  onClose,
}: Props & { open: boolean; onClose: () => void }) {
  const field = useId()
  const [from, setFrom] = useState<'failed' | 'start' | 'node'>('failed')
  const [nodeId, setNode] = useState<string>()
  const [version, setVersion] = useState<'current' | 'same'>('current')
  const [mayRepeat, setRepeat] = useState(false)
  const { mutateAsync: retry, isPending } = runs.useRetry(run.id)
  const published = workflow.publishedVersion ?? run.number
  const number = version === 'same' ? run.number : published
  const flow = useQuery({ ...runs.versionOptions(workflow.id, number), enabled: open }).data?.flow
  const lacksStep = from === 'failed' && flow !== undefined && !flow.nodes.some(({ id }) => id === run.nodeId)
  const isUncertain = steps.some(({ code }) => code !== undefined && uncertainCodes.includes(code))
  const done = steps.filter(({ outcome }) => outcome === 'done')
  const isPaused = workflow.status !== 'active'

  async function submit() {
    try {
      const again = await retry({
        from: from === 'node' ? { nodeId: nodeId ?? '' } : from,
        version,
        repeatUncertain: mayRepeat,
      })
      onClose()
      onRetried(again.id)
    } catch (error) {
      toast.error(explain(error, 'The run could not be tried again.'))
    }
  }

  return (
    <FormDialog
      open={open}
      title="Try the run again"
      lead={
        isPaused
          ? 'Start the workflow first: a paused one begins no runs.'
          : 'A new run begins for the same contact. Fix the step and publish it first, and it goes on with what you have fixed.'
      }
      submitLabel="Try again"
      submitDisabled={isPaused || lacksStep || (from === 'node' && nodeId === undefined) || (isUncertain && !mayRepeat)}
      pending={isPending}
      width={560}
      onSubmit={() => void submit()}
      onClose={onClose}
      onClosed={() => {
        setFrom('failed')
        setNode(undefined)
        setVersion('current')
        setRepeat(false)
      }}
    >
      <Radio.Group
        aria-label="Where it begins"
        vertical
        value={from}
        onChange={({ target }) => setFrom(target.value)}
        options={[
          { value: 'failed', label: `At the step that failed: ${nameOf(workflow, flow, run.nodeId)}` },
          { value: 'start', label: 'At the start' },
          { value: 'node', label: 'At another step' },
        ]}
      />
      {from === 'node' && (
        <div className={fields['field']}>
          <label htmlFor={field} className={fields['label']}>
            Step
          </label>
          <Select
            id={field}
            {...(nodeId !== undefined && { value: nodeId })}
            placeholder="Choose a step"
            options={flow?.nodes.map(({ id, label }) => ({ value: id, label: label === '' ? id : label })) ?? []}
            onChange={setNode}
            getPopupContainer={popupInside}
          />
        </div>
      )}
      {published !== run.number && (
        <Radio.Group
          aria-label="Version"
          vertical
          value={version}
          onChange={({ target }) => {
            setVersion(target.value)
            setNode(undefined)
          }}
          options={[
            { value: 'current', label: `Version ${published}, which is published now` },
            { value: 'same', label: `Version ${run.number}, on which it ran` },
          ]}
        />
      )}
      {lacksStep && <Alert type="warning" title="This version has no such step. Choose where it is to begin." />}
      {from !== 'failed' && done.length > 0 && (
        <Alert
          type="info"
          title={`Done already, and done again where the run comes by: ${done
            .map((step) => nameOf(workflow, flow, step.nodeId))
            .join(', ')}.`}
        />
      )}
      {isUncertain && (
        <>
          <Alert
            type="warning"
            title="A step may have been done although no answer came. Look in the conversation whether it was."
          />
          <Checkbox checked={mayRepeat} onChange={({ target }) => setRepeat(target.checked)}>
            It may be done again
          </Checkbox>
        </>
      )}
    </FormDialog>
  )
}

const nameOf = (workflow: Workflow, flow: Workflow['draft'] | undefined, nodeId = ''): string =>
  nodeNameIn(flow ?? workflow.draft, nodeId)
