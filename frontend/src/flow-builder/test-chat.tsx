import FastForwardOutlined from '@ant-design/icons/FastForwardOutlined'
import ReloadOutlined from '@ant-design/icons/ReloadOutlined'
import SendOutlined from '@ant-design/icons/SendOutlined'
import { type DraftFlow, nodeSettingsSchema } from '@parley/contracts/automation/flow'
import { Button, Input } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { fullTime } from '../lib/relative-time.ts'
import type { FlowKind } from './builder-context.ts'
import { durationText, eventNames } from './labels.ts'
import styles from './test-chat.module.css'
import { give, passTime, type TestRun, waitMs } from './test-run.ts'

interface TestChat {
  what: FlowKind
  flow: DraftFlow
  run: TestRun
  timeZone: string
  onChange: (run: TestRun) => void
  onRestart: () => void
}

const hourMs = 3_600_000

/** Plays the draft: the tester writes as a customer would, the flow answers, and time passes on command. */
export function TestChat({ what, flow, run, timeZone, onChange, onRestart }: TestChat) {
  const send = (text: string, choiceId?: string) =>
    onChange(give(flow, run, { type: 'message', text, ...(choiceId !== undefined && { choiceId }) }))
  const wait = waitMs(run)
  const last = run.entries.at(-1)
  const open = run.state.wait?.for === 'choice' ? run.entries.findLast(({ choices }) => choices) : undefined
  return (
    <div className={styles['chat']}>
      <div className={styles['clock']}>
        <span>
          Clock: <time dateTime={new Date(run.now).toISOString()}>{fullTime(new Date(run.now), timeZone)}</time>
        </span>
        <Button onClick={() => onChange(passTime(flow, run, hourMs))}>+1 hour</Button>
        <Button icon={<ReloadOutlined aria-hidden />} onClick={onRestart}>
          Restart
        </Button>
      </div>
      <Log run={run} />
      {open?.choices && (
        <fieldset className={styles['offers']} aria-label="Choices">
          {open.choices.map(({ id, title }) => (
            <Button key={id} onClick={() => send(title, id)} dir="auto">
              {title}
            </Button>
          ))}
        </fieldset>
      )}
      {wait > 0 && (
        <div className={styles['offers']}>
          <Button icon={<FastForwardOutlined aria-hidden />} onClick={() => onChange(passTime(flow, run, wait))}>
            Skip wait ({durationText(Math.ceil(wait / 1000))})
          </Button>
        </div>
      )}
      {run.state.wait?.for === 'http' && (
        <HttpAnswer onAnswer={(ok, body) => onChange(give(flow, run, { type: 'http_answer', ok, body }))} />
      )}
      {what === 'workflow' && run.state.status !== 'waiting' && (
        <div className={styles['offers']}>
          {eventsOf(flow).map((event) => (
            <Button
              key={event}
              type="primary"
              ghost
              onClick={() => onChange(give(flow, run, { type: 'event', event }))}
            >
              Send event: {eventNames[event]}
            </Button>
          ))}
        </div>
      )}
      <Composer onSend={send} />
      <p className="visually-hidden" role="status">
        {last && last.by !== 'customer' ? last.text : ''}
      </p>
    </div>
  )
}

function Log({ run }: { run: TestRun }) {
  const end = useRef<HTMLDivElement>(null)
  const count = run.entries.length
  useEffect(() => {
    if (count > 0) end.current?.scrollTo({ top: end.current.scrollHeight })
  }, [count])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a log that scrolls must be reachable by key.
    <div ref={end} className={styles['log']} role="log" aria-label="Test conversation" tabIndex={0}>
      {count === 0 && (
        <p className={styles['hint']}>
          Write what a customer would write. Nothing is sent, and no one receives a message.
        </p>
      )}
      {run.entries.map(({ id, by, text, choices }) => (
        <div key={id} className={styles['entry']} data-by={by} dir="auto">
          <p>{text}</p>
          {choices && <p className={styles['options']}>{choices.map(({ title }) => title).join(' · ')}</p>}
        </div>
      ))}
    </div>
  )
}

function Composer({ onSend }: { onSend: (text: string) => void }) {
  const [text, setText] = useState('')
  const send = () => {
    const trimmed = text.trim()
    if (trimmed === '') return
    onSend(trimmed)
    setText('')
  }
  return (
    <form
      className={styles['composer']}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <Input
        aria-label="Message as a customer"
        placeholder="Write as a customer"
        value={text}
        maxLength={4096}
        autoComplete="off"
        dir="auto"
        onChange={({ target }) => setText(target.value)}
      />
      <Button htmlType="submit" icon={<SendOutlined aria-hidden />} aria-label="Send as a customer" />
    </form>
  )
}

function HttpAnswer({ onAnswer }: { onAnswer: (ok: boolean, body: string) => void }) {
  const [body, setBody] = useState('')
  return (
    <div className={styles['offers']}>
      <Input
        aria-label="Response to the call"
        placeholder="What the call returns"
        value={body}
        maxLength={1000}
        onChange={({ target }) => setBody(target.value)}
      />
      <Button onClick={() => onAnswer(true, body)}>Answer</Button>
      <Button onClick={() => onAnswer(false, '')}>Fail</Button>
    </div>
  )
}

/** The events that the draft's triggers wait for. */
function eventsOf(flow: DraftFlow) {
  const events = flow.nodes.flatMap(({ settings }) => {
    const parsed = nodeSettingsSchema.safeParse(settings)
    return parsed.success && parsed.data.kind === 'event' ? [parsed.data.event] : []
  })
  return [...new Set(events)]
}
