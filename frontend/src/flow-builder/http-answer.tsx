import type { HttpRequest } from '@parley/flow/actions'
import { Button, Input } from 'antd'
import { useEffect, useState } from 'react'
import { useIsRefused } from '../lib/choices/members.ts'
import { explain } from '../lib/explain.ts'
import { callLine, useTestCall } from '../lib/use-test-call.ts'
import { useChoices } from './builder-context.ts'
import styles from './test-chat.module.css'
import type { TestRun } from './test-run.ts'

/** Characters of an answer that a test keeps. */
const maxAnswer = 4000

/** Returns the call for which a test run waits. */
export function requestOf({ entries }: Pick<TestRun, 'entries'>): HttpRequest | undefined {
  const last = entries.findLast((entry) => entry.by === 'bot' && entry.action.type === 'http_call')
  return last?.by === 'bot' && last.action.type === 'http_call' ? last.action : undefined
}

interface Answer {
  readonly ok: boolean
  readonly body: string
  readonly uncertain?: true
}

/** The answer of another system: written by the tester, or of one real call, which the tester asks for. */
export function HttpAnswer({
  request,
  onAnswer,
}: {
  readonly request: HttpRequest | undefined
  readonly onAnswer: (answer: Answer) => void
}) {
  const { connections = [] } = useChoices()
  const [body, setBody] = useState('')
  const test = useTestCall()
  const mayNotCall = useIsRefused('workspace:write')
  const connection = connections.find(({ id }) => id === request?.connectionId)
  const answer = test.result?.answer
  useEffect(() => {
    if (answer !== undefined) setBody(answer.slice(0, maxAnswer))
  }, [answer])
  const call = () => {
    if (!request) return
    const { pick: _, headers, ...others } = request
    test.start({ ...others, ...(headers && { headers: [...headers] }) })
  }
  return (
    <div className={styles['call']}>
      <Input.TextArea
        aria-label="Response to the call"
        placeholder="What the call returns"
        value={body}
        maxLength={maxAnswer}
        autoSize={{ minRows: 1, maxRows: 6 }}
        onChange={({ target }) => setBody(target.value)}
      />
      <div className={styles['callButtons']}>
        <Button onClick={() => onAnswer({ ok: true, body })}>Answer</Button>
        <Button onClick={() => onAnswer({ ok: false, body: '' })}>Fail</Button>
        {request && request.method !== 'GET' && (
          <Button onClick={() => onAnswer({ ok: false, body: '', uncertain: true })}>No answer</Button>
        )}
        {connection && !mayNotCall && (
          <Button loading={test.isPending} onClick={call}>
            Really call {connection.name}
          </Button>
        )}
      </div>
      <p role="status" className={styles['callResult']}>
        {test.result && callLine(test.result)}
        {test.error && explain(test.error, 'The call could not be made.')}
      </p>
    </div>
  )
}
