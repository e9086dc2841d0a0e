import CheckCircleFilled from '@ant-design/icons/CheckCircleFilled'
import CloseCircleFilled from '@ant-design/icons/CloseCircleFilled'
import type { FlowTest, FlowTestResult } from '@parley/contracts/automation/flow-tests'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { explain } from '../lib/explain.ts'
import { counted } from '../lib/format.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { SkeletonBar } from '../ui/skeleton.tsx'
import { toast } from '../ui/toast.ts'
import { type EditorHandle, useChoices } from './builder-context.ts'
import type { FlowTests } from './flow-tests.ts'
import styles from './runs-panel.module.css'
import { lineText } from './transcript-text.ts'

interface Props {
  tests: FlowTests
  flowId: string
  editor: EditorHandle
  mayNotWrite: boolean
}

/** Recorded tests of a flow, and how the flow on the canvas answers them. */
export function TestsPanel({ tests, flowId, editor, mayNotWrite }: Props) {
  const { data, error, isFetching, refetch } = useQuery(tests.testsOptions(flowId))
  const run = tests.useRunTests(flowId)
  const [results, setResults] = useState<readonly FlowTestResult[]>()
  const play = () =>
    run.mutate(editor.flow, {
      onSuccess: (played) => setResults(played.results),
      onError: (failure) => toast.error(explain(failure, 'The tests could not be run.')),
    })
  if (!data)
    return (
      <div className={styles['body']}>
        {error && !isFetching ? (
          <ErrorState message={explain(error, 'The tests could not be loaded.')} onRetry={() => void refetch()} />
        ) : (
          <SkeletonBar height="200px" />
        )}
      </div>
    )
  if (data.items.length === 0)
    return (
      <div className={styles['body']}>
        <EmptyState
          title="No tests yet"
          message="Try the flow out, then keep what it answered as a test. Tests run whenever you publish."
        />
      </div>
    )
  const known = new Map(results?.map((result) => [result.testId, result]))
  const failed = data.items.filter(({ id }) => known.get(id)?.passed === false).length
  return (
    <div className={styles['body']}>
      <div className={styles['pages']}>
        <Button size="small" type="primary" loading={run.isPending} onClick={play}>
          Run {counted(data.items.length, 'test')}
        </Button>
        <span className={styles['quiet']} role="status">
          {results && (failed === 0 ? 'All pass.' : `${failed} of ${data.items.length} fail.`)}
        </span>
      </div>
      <ul className={styles['steps']} aria-label="Tests">
        {data.items.map((test) => (
          <One
            key={test.id}
            test={test}
            result={known.get(test.id)}
            tests={tests}
            flowId={flowId}
            editor={editor}
            mayNotWrite={mayNotWrite}
            onChanged={play}
          />
        ))}
      </ul>
    </div>
  )
}

function One({
  test,
  result,
  tests,
  flowId,
  editor,
  mayNotWrite,
  onChanged,
}: Props & { test: FlowTest; result: FlowTestResult | undefined; onChanged: () => void }) {
  const names = useChoices()
  const accept = tests.useAcceptTest(flowId)
  const remove = tests.useRemoveTest(flowId)
  const difference = result?.difference
  const nodeId = [difference?.found?.nodeId, difference?.expected?.nodeId].find((id) =>
    editor.flow.nodes.some((node) => node.id === id),
  )
  const state = result && (result.passed ? 'passed' : 'failed')
  return (
    <li data-outcome={state ?? 'open'}>
      <span dir="auto">
        {state === 'passed' && <CheckCircleFilled aria-label="Passed" className={styles['passed'] ?? ''} />}
        {state === 'failed' && <CloseCircleFilled aria-label="Failed" className={styles['failed'] ?? ''} />}{' '}
        <b>{test.name}</b>
      </span>
      {result?.reason !== undefined && <span className={styles['quiet']}>{result.reason}</span>}
      {difference && (
        <dl className={styles['difference']}>
          <dt>Expected</dt>
          <dd dir="auto">{lineText(difference.expected, names)}</dd>
          <dt>Now</dt>
          <dd dir="auto">{lineText(difference.found, names)}</dd>
        </dl>
      )}
      <span className={styles['pages']}>
        {nodeId !== undefined && (
          <Button size="small" onClick={() => editor.reveal([nodeId])}>
            Show the node
          </Button>
        )}
        {state === 'failed' && !mayNotWrite && (
          <Button
            size="small"
            loading={accept.isPending}
            onClick={() =>
              accept.mutate(
                { test, draft: editor.flow },
                {
                  onSuccess: onChanged,
                  onError: (failure) => toast.error(explain(failure, `${test.name} could not be changed.`)),
                },
              )
            }
          >
            Expect this from now on
          </Button>
        )}
        {!mayNotWrite && (
          <Button
            size="small"
            type="text"
            aria-label={`Delete ${test.name}`}
            loading={remove.isPending}
            onClick={() =>
              remove.mutate(test.id, {
                onSuccess: () => toast.success(`${test.name} deleted.`),
                onError: (failure) => toast.error(explain(failure, `${test.name} could not be deleted.`)),
              })
            }
          >
            Delete
          </Button>
        )}
      </span>
    </li>
  )
}
