import FastForwardOutlined from '@ant-design/icons/FastForwardOutlined'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import ReloadOutlined from '@ant-design/icons/ReloadOutlined'
import SendOutlined from '@ant-design/icons/SendOutlined'
import { type DraftFlow, nodeSettingsSchema } from '@parley/contracts/automation/flow'
import type { FlowScript } from '@parley/contracts/automation/flow-tests'
import type { ScriptLine } from '@parley/flow/play-script'
import { Button, Dropdown, Input } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { fullTime } from '../lib/relative-time.ts'
import { type FlowKind, useChoices } from './builder-context.ts'
import { FormAnswer } from './form-answer.tsx'
import { HttpAnswer, requestOf } from './http-answer.tsx'
import { KeepTest } from './keep-test.tsx'
import { durationText, eventNames } from './labels.ts'
import styles from './test-chat.module.css'
import { Customer } from './test-customer.tsx'
import { entriesOf, give, scriptOf, type TestRun, waitMs, withPerson, written } from './test-run.ts'

interface TestChat {
  what: FlowKind
  flow: DraftFlow
  run: TestRun
  timeZone: string
  onChange: (run: TestRun) => void
  onRestart: () => void
  /** Keeps what was tried as a test; absent for who may not. @returns whether it is kept; a failure has been reported. */
  onKeep?: ((name: string, script: FlowScript) => Promise<boolean>) | undefined
}

const hourSeconds = 3600

/** Plays the draft: the tester writes as a customer would, the flow answers, and time passes on command. */
export function TestChat({ what, flow, run, timeZone, onChange, onRestart, onKeep }: TestChat) {
  const names = useChoices()
  const entries = entriesOf(run, names)
  const play = (line: ScriptLine) => onChange(give(flow, run, line))
  const wait = waitMs(run)
  const { recorded } = run
  const last = entries.at(-1)
  const open = run.state.wait?.for === 'choice' ? entries.findLast(({ choices }) => choices) : undefined
  return (
    <div className={styles['chat']}>
      <div className={styles['clock']}>
        <span>
          Clock: <time dateTime={new Date(run.now).toISOString()}>{fullTime(new Date(run.now), timeZone)}</time>
        </span>
        <Button onClick={() => play({ type: 'wait', seconds: hourSeconds })}>+1 hour</Button>
        <Button icon={<ReloadOutlined aria-hidden />} onClick={onRestart}>
          Restart
        </Button>
        <Customer person={run.person} onChange={(person) => onChange(withPerson(run, person))} />
      </div>
      <Log entries={entries} />
      {open?.choices && (
        <fieldset className={styles['offers']} aria-label="Choices">
          {open.choices.map(({ id, title }) => (
            <Button key={id} onClick={() => play({ type: 'tap', title })} dir="auto">
              {title}
            </Button>
          ))}
        </fieldset>
      )}
      {wait > 0 && (
        <div className={styles['offers']}>
          <Button
            icon={<FastForwardOutlined aria-hidden />}
            onClick={() => play({ type: 'wait', seconds: Math.ceil(wait / 1000) })}
          >
            Skip wait ({durationText(Math.ceil(wait / 1000))})
          </Button>
        </div>
      )}
      {run.state.wait?.for === 'http' && (
        <HttpAnswer request={requestOf(run)} onAnswer={(answer) => play({ type: 'http_answer', ...answer })} />
      )}
      {run.state.wait?.for === 'answer' && isForm(flow, run.state.nodeId) && (
        <FormAnswer key={run.state.wait.inputNo} flow={flow} onAnswer={play} />
      )}
      {what === 'workflow' && run.state.status !== 'waiting' && (
        <div className={styles['offers']}>
          {eventsOf(flow).map((event) => (
            <Button key={event} type="primary" ghost onClick={() => play({ type: 'event', event })}>
              Send event: {eventNames[event]}
            </Button>
          ))}
        </div>
      )}
      {onKeep && recorded && recorded.lines.length > 0 && (
        <KeepTest onKeep={(name) => onKeep(name, scriptOf(recorded))} />
      )}
      <Composer what={what} onPlay={play} />
      <p className="visually-hidden" role="status">
        {last && last.by !== 'customer' ? last.text : ''}
      </p>
    </div>
  )
}

function Log({ entries }: { entries: ReturnType<typeof entriesOf> }) {
  const end = useRef<HTMLDivElement>(null)
  const count = entries.length
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
      {entries.map(({ id, by, text, choices }) => (
        <div key={id} className={styles['entry']} data-by={by} dir="auto">
          <p>{text}</p>
          {choices && <p className={styles['options']}>{choices.map(({ title }) => title).join(' · ')}</p>}
        </div>
      ))}
    </div>
  )
}

const picture = { contentType: 'image', text: '' }
const location = { contentType: 'location', text: '', place: { latitude: 12.9716, longitude: 77.5946 } }
/** Things beyond text that happen in a conversation. */
const others: readonly { key: string; label: string; line: ScriptLine; botOnly?: true }[] = [
  { key: 'picture', label: 'Send a picture', line: { type: 'message', parts: [picture] } },
  { key: 'location', label: 'Send a location', line: { type: 'message', parts: [location] } },
  { key: 'refuse', label: 'Refuse the next message', line: { type: 'refuse', action: 'send', code: 'window_closed' } },
  { key: 'give', label: 'Give the conversation to the bot', line: { type: 'handed_over' }, botOnly: true },
]

function Composer({ what, onPlay }: { what: FlowKind; onPlay: (line: ScriptLine) => void }) {
  const [text, setText] = useState('')
  const send = () => {
    if (text.trim() === '') return
    onPlay(written(text))
    setText('')
  }
  const offered = others.filter(({ botOnly }) => !botOnly || what === 'bot')
  return (
    <form
      className={styles['composer']}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <Dropdown
        trigger={['click']}
        menu={{
          items: offered.map(({ key, label }) => ({ key, label })),
          onClick: ({ key }) => {
            const chosen = offered.find((one) => one.key === key)
            if (chosen) onPlay(chosen.line)
          },
        }}
      >
        <Button icon={<PlusOutlined aria-hidden />} aria-label="More to try" />
      </Dropdown>
      <Input.TextArea
        aria-label="Message as a customer"
        placeholder="Write as a customer"
        value={text}
        maxLength={4096}
        autoSize={{ minRows: 1, maxRows: 4 }}
        autoComplete="off"
        dir="auto"
        // Shift and Enter begin the next message of several in a row.
        onPressEnter={(event) => {
          if (event.shiftKey || event.nativeEvent.isComposing) return
          event.preventDefault()
          send()
        }}
        onChange={({ target }) => setText(target.value)}
      />
      <Button htmlType="submit" icon={<SendOutlined aria-hidden />} aria-label="Send as a customer" />
    </form>
  )
}

const isForm = ({ nodes }: DraftFlow, nodeId: string | null): boolean =>
  nodes.find(({ id }) => id === nodeId)?.settings.kind === 'form'

/** The events that the draft's triggers wait for. */
function eventsOf(flow: DraftFlow) {
  const events = flow.nodes.flatMap(({ settings }) => {
    const parsed = nodeSettingsSchema.safeParse(settings)
    if (!parsed.success) return []
    const { data } = parsed
    return data.kind === 'event' ? [data.event] : data.kind === 'schedule' || data.kind === 'hook' ? [data.kind] : []
  })
  return [...new Set(events)]
}
