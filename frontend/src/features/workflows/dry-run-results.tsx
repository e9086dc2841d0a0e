import type { DryRunEnd, DryRunResult, DryRunSkip } from '@parley/contracts/automation/dry-runs'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import type { EditorHandle } from '../../flow-builder/builder-context.ts'
import { nodeNameIn } from '../../flow-builder/flow-commands.tsx'
import { categoryLabels } from '../../lib/category-labels.ts'
import { counted, formatCount, formatDay } from '../../lib/format.ts'
import { fullTime } from '../../lib/relative-time.ts'
import { useClock } from '../../lib/use-clock.ts'
import { Meter } from '../../ui/meter.tsx'
import styles from './dry-run.module.css'

/** Counts of a dry run: starts by day, reasons for which there was none, messages, and the nodes where paths end. */
export function DryRunResults({ result, editor }: { result: DryRunResult; editor: EditorHandle }) {
  const { skipped, messages, templates, paths, starts, firstAt = result.from } = result
  // Nothing is known of the days before.
  const days = result.days.filter(({ day }) => day >= firstAt.slice(0, 10))
  const most = Math.max(...days.map((day) => day.starts))
  const startsOnEvents = editor.flow.nodes.some(({ settings }) => settings.kind === 'event')
  return (
    <>
      <p role="status" className={styles['summary']}>
        {summaryOf(result)}
      </p>
      <Limits result={result} />
      {result.events === 0 && (
        <p className={styles['quiet']}>
          {startsOnEvents
            ? 'None of the events on which it starts was recorded in this time.'
            : 'It has no trigger on events: there is nothing to look at.'}
        </p>
      )}
      {starts > 0 && (
        <Part title="Starts by day (UTC)">
          <ul className={styles['days']}>
            {days.map(({ day, starts: count }) => (
              <li key={day}>
                <span>{formatDay(day)}</span>
                <Meter label={formatDay(day)} value={count} max={most} text={counted(count, 'start')} />
                <b>{formatCount(count)}</b>
              </li>
            ))}
          </ul>
        </Part>
      )}
      {skipped.length > 0 && (
        <Part title="Events that start nothing">
          <ul className={styles['lines']}>
            {skipped.map(({ reason, count }) => (
              <Line key={reason} label={skips[reason]} count={count} />
            ))}
          </ul>
        </Part>
      )}
      {(templates.length > 0 || messages > 0) && <Sent messages={messages} templates={templates} />}
      {paths.length > 0 && (
        <Part title="Where paths end">
          <ul className={styles['lines']}>
            {paths.map(({ nodeId, end, count }) => (
              <Line key={`${end} ${nodeId}`} label={ends[end]} count={count}>
                {nodeId !== undefined && <NodeName id={nodeId} editor={editor} />}
              </Line>
            ))}
          </ul>
        </Part>
      )}
    </>
  )
}

/** `Would have started 143 times for 96 contacts.` */
export const summaryOf = ({ starts, contacts }: DryRunResult): string =>
  starts === 0
    ? 'Would not have started.'
    : `Would have started ${counted(starts, 'time')} for ${counted(contacts, 'contact')}.`

const skips: Readonly<Record<DryRunSkip, string>> = {
  filter: 'The trigger asks for something else',
  enrolled: 'The contact takes part already, or did',
  cool_down: 'Started for the contact too short a time ago',
  chain: 'Caused by the workflow itself, or by too many automations in a row',
  number: 'Happened at another number',
}

const ends: Readonly<Record<DryRunEnd, string>> = {
  end: 'Ends',
  answer: 'Waits for the customer’s answer',
  call: 'Waits for another system’s answer',
  bot: 'Goes on in a bot',
  waiting: 'Still waits',
  held: 'Held for a person: started too often within an hour',
  failed: 'Stopped: it could not go on',
  opted_out: 'Stopped: the customer opted out',
}

/** Says why the result covers less than was asked for. */
function Limits({ result: { cut, from, until, firstAt } }: { result: DryRunResult }) {
  const { timeZone } = useClock(Date.parse(until))
  const time = (at: string) => fullTime(new Date(at), timeZone)
  const isLate = firstAt !== undefined && Date.parse(firstAt) - Date.parse(from) > noticeableMs
  return (
    <>
      {cut === 'events' && (
        <p className={styles['notice']}>There were more than 200,000 events: only those since {time(from)} count.</p>
      )}
      {cut === 'starts' && <p className={styles['notice']}>It stopped after 20,000 starts, at {time(until)}.</p>}
      {isLate && <p className={styles['quiet']}>The first event that tells enough is of {time(firstAt)}.</p>}
    </>
  )
}

/** Milliseconds without an event from which that is said. */
const noticeableMs = 3_600_000

/** Messages by what WhatsApp charges for them, and the templates by name. */
function Sent({ messages, templates }: Pick<DryRunResult, 'messages' | 'templates'>) {
  const byCategory = Map.groupBy(templates, ({ category }) => category)
  return (
    <Part title="Would have sent">
      <ul className={styles['lines']}>
        {[...byCategory].map(([category, all]) => (
          <Line
            key={category ?? ''}
            label={category ? `${categoryLabels[category]} templates` : 'Templates that are gone'}
            count={all.reduce((sum, { count }) => sum + count, 0)}
          >
            <span className={styles['quiet']} dir="auto">
              {all.flatMap(({ name, count }) => (name === undefined ? [] : `${name} ${formatCount(count)}`)).join(', ')}
            </span>
          </Line>
        ))}
        {messages > 0 && <Line label="Messages" count={messages} />}
      </ul>
    </Part>
  )
}

function NodeName({ id, editor }: { id: string; editor: EditorHandle }) {
  const name = nodeNameIn(editor.flow, id)
  if (!editor.flow.nodes.some((node) => node.id === id)) return <span className={styles['quiet']}>{name}</span>
  return (
    <Button type="link" size="small" aria-label={`Show the node ${name}`} onClick={() => editor.reveal([id])}>
      {name}
    </Button>
  )
}

function Line({ label, count, children }: { label: string; count: number; children?: ReactNode }) {
  return (
    <li>
      <span className={styles['line']}>
        <span>{label}</span> <b>{formatCount(count)}</b>
      </span>
      {children}
    </li>
  )
}

/** Part of a panel, which is a dialog on a phone: its title is no heading, whose level would differ. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className={styles['part']}>
      <b>{title}</b>
      {children}
    </section>
  )
}
