import {
  type ImportColumn,
  type ImportRecord,
  type ImportTarget,
  importTargets,
  singleTargets,
} from '@parley/contracts/imports'
import { Button, Checkbox, Input, Radio, Select } from 'antd'
import { useId, useMemo, useState } from 'react'
import { explain } from '../../../lib/explain.ts'
import { countryOptions, matchesCountry } from '../../../lib/mobile.ts'
import { popupInside } from '../../../ui/popup-inside.ts'
import { TagSelect } from '../edit/tag-select.tsx'
import { useImportChange } from './api.ts'
import styles from './map-step.module.css'

type Settings = Pick<ImportRecord, 'purpose' | 'country' | 'tags' | 'allAgreed' | 'evidence'> & {
  targets: ImportTarget[]
}
type Change = (patch: Partial<Settings>) => void

const targetNames: Record<ImportTarget, string> = {
  name: 'Name',
  phone: 'Phone',
  user_id: 'WhatsApp user id',
  tags: 'Tags',
  attribute: 'Detail',
  consent: 'Marketing consent',
  ignore: 'Leave out',
}
const delimiterNames = { ',': 'commas', ';': 'semicolons', '\t': 'tabs', '|': 'bars' }
const encodingNames = { 'utf-8': 'UTF-8', 'utf-16le': 'UTF-16', 'utf-16be': 'UTF-16', 'windows-1252': 'Windows-1252' }

/** Which column becomes what, and how the rows are read. */
export function MapStep({ record, onAnother }: { record: ImportRecord; onAnother: () => void }) {
  const { mutate, isPending, error } = useImportChange(record.id)
  const { columns, format, purpose, country, tags, allAgreed, evidence } = record
  const [settings, setSettings] = useState<Settings>({
    targets: columns.map(({ target }) => target),
    purpose,
    country,
    tags,
    allAgreed,
    evidence,
  })
  const change: Change = (patch) => setSettings((before) => ({ ...before, ...patch }))
  const missing = missingOf(settings)
  const problem = error ? explain(error, 'The connection was lost. Nothing was imported. Try again.') : record.problem
  return (
    <div className={styles['step']}>
      <p className={styles['quiet']}>
        <bdi>{record.fileName}</bdi>
        {format.kind === 'csv'
          ? ` · ${encodingNames[format.encoding]}, separated by ${delimiterNames[format.delimiter]}`
          : ' · the first sheet of the workbook'}
      </p>
      {format.kind === 'csv' && format.encoding === 'windows-1252' && (
        <p className={styles['notice']}>
          The file is not UTF-8, so it was read as Windows-1252. Check the names below: if any letters look wrong, save
          the file as UTF-8 and choose it again.
        </p>
      )}
      <Checkbox
        checked={record.withHeader}
        onChange={({ target }) => mutate({ changes: { withHeader: target.checked } })}
      >
        The first row contains the column names
      </Checkbox>
      <Columns
        columns={columns}
        targets={settings.targets}
        onTarget={(place, target) => {
          const targets = withTarget(settings.targets, place, target)
          // What the file says of each of them counts.
          change({ targets, ...(targets.includes('consent') && { allAgreed: false }) })
        }}
      />
      <Options settings={settings} change={change} />
      {(problem ?? missing) && (
        <p className={styles['problem']} role="alert">
          {problem ?? missing}
        </p>
      )}
      <div className={styles['foot']}>
        <Button
          type="primary"
          loading={isPending}
          disabled={missing !== undefined}
          onClick={() => mutate({ changes: settings, step: 'check' })}
        >
          Check the file
        </Button>
        <Button onClick={onAnother}>Choose another file</Button>
      </div>
    </div>
  )
}

/** An update finds contacts by their phone number or user id alone. */
function missingOf({ targets, purpose, allAgreed, evidence }: Settings): string | undefined {
  const needed = purpose === 'update' ? (['phone'] as const) : (['name', 'phone'] as const)
  const isThere = (target: ImportTarget) =>
    targets.includes(target) || (target === 'phone' && targets.includes('user_id'))
  const missing = needed.filter((target) => !isThere(target))
  if (missing.length === 0)
    return allAgreed && evidence.trim() === '' ? 'Enter how and when these people agreed.' : undefined
  return `Choose the column for the ${missing.map((target) => (target === 'name' ? 'name' : 'phone number')).join(' and the column for the ')}.`
}

function withTarget(targets: readonly ImportTarget[], place: number, chosen: ImportTarget): ImportTarget[] {
  const isSingle = singleTargets.some((single) => single === chosen)
  return targets.map((target, index) => {
    if (index === place) return chosen
    return isSingle && target === chosen ? 'ignore' : target
  })
}

function Columns({
  columns,
  targets,
  onTarget,
}: {
  columns: readonly ImportColumn[]
  targets: readonly ImportTarget[]
  onTarget: (place: number, target: ImportTarget) => void
}) {
  const options = importTargets.map((target) => ({ value: target, label: targetNames[target] }))
  return (
    <ul className={styles['columns']} aria-label="Columns">
      {columns.map(({ header, samples }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place in the file; headers may repeat.
        <li key={place} className={styles['column']} data-ignored={targets[place] === 'ignore'}>
          <span className={styles['from']}>
            <b dir="auto">{header}</b>
            <span className={styles['samples']} dir="auto">
              {samples.join(' · ') || 'Empty'}
            </span>
          </span>
          <Select
            aria-label={`Import ${header} as`}
            className={styles['target'] ?? ''}
            value={targets[place] ?? 'ignore'}
            options={options}
            onChange={(chosen) => onTarget(place, chosen)}
            getPopupContainer={popupInside}
          />
        </li>
      ))}
    </ul>
  )
}

function Options({ settings, change }: { settings: Settings; change: Change }) {
  const id = useId()
  const countries = useMemo(
    () => countryOptions().map((option) => ({ ...option, label: `${option.name} (${option.callingCode})` })),
    [],
  )
  return (
    <div className={styles['options']}>
      <div className={styles['option']}>
        <label htmlFor={`${id}-country`}>Country for numbers without a country code</label>
        <Select
          id={`${id}-country`}
          value={settings.country}
          options={countries}
          onChange={(country) => change({ country })}
          showSearch={{ filterOption: (search, option) => option !== undefined && matchesCountry(search, option) }}
          getPopupContainer={popupInside}
        />
      </div>
      <div className={styles['option']}>
        <label htmlFor={`${id}-tags`}>Tag everyone in this file (optional)</label>
        <TagSelect id={`${id}-tags`} value={settings.tags} onChange={(tags) => change({ tags })} />
      </div>
      <fieldset className={styles['option']}>
        <legend>Contacts in this file</legend>
        <Radio.Group
          name={`${id}-purpose`}
          value={settings.purpose}
          onChange={({ target }) => change({ purpose: purposeOf(target.value) })}
          options={[
            { value: 'both', label: 'Add new and update existing' },
            { value: 'add', label: 'Only add new' },
            { value: 'update', label: 'Only update existing' },
          ]}
        />
      </fieldset>
      <Consent settings={settings} change={change} />
    </div>
  )
}

/** Said of each row by a column, or of all of them by whoever imports. */
function Consent({ settings, change }: { settings: Settings; change: Change }) {
  const id = useId()
  const hasColumn = settings.targets.includes('consent')
  return (
    <fieldset className={styles['option']}>
      <legend>Marketing consent</legend>
      {!hasColumn && (
        <Checkbox checked={settings.allAgreed} onChange={({ target }) => change({ allAgreed: target.checked })}>
          Everyone in this file has agreed
        </Checkbox>
      )}
      {(hasColumn || settings.allAgreed) && (
        <>
          <label htmlFor={id}>{hasColumn ? 'Where it was given (optional)' : 'How and when they agreed'}</label>
          <Input
            id={id}
            maxLength={50}
            placeholder="Signup form, spring 2026"
            value={settings.evidence}
            onChange={({ target }) => change({ evidence: target.value })}
          />
        </>
      )}
    </fieldset>
  )
}

const purposeOf = (value: unknown): ImportRecord['purpose'] => (value === 'add' || value === 'update' ? value : 'both')
