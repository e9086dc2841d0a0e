import { type ImportTarget, singleTargets } from '@parley/contracts/contacts/import-files'
import type { ImportRecord } from '@parley/contracts/contacts/imports'
import { Button, Checkbox, Input, Radio, Select } from 'antd'
import { useId, useMemo, useState } from 'react'
import { explain } from '../../../lib/explain.ts'
import { countryOptions, matchesCountry } from '../../../lib/mobile.ts'
import { popupInside } from '../../../ui/popup-inside.ts'
import { TagSelect } from '../edit/tag-select.tsx'
import { useImportChange } from './api.ts'
import { ColumnList } from './column-list.tsx'
import { FileOptions } from './file-options.tsx'
import styles from './map-step.module.css'

type Settings = Pick<ImportRecord, 'purpose' | 'country' | 'tags' | 'allAgreed' | 'evidence'> & {
  targets: ImportTarget[]
}
type Change = (patch: Partial<Settings>) => void

/** Maps the columns to fields, and sets how the rows are read. */
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
        {format.kind === 'vcard' && ' · contact cards (vCard)'}
      </p>
      <FileOptions
        record={record}
        isPending={isPending}
        onChange={(read) => {
          // The columns are suggested again; what was chosen for all rows stays.
          const { targets: _targets, ...kept } = settings
          mutate({ changes: { ...kept, ...read } })
        }}
      />
      <ColumnList
        columns={columns}
        targets={settings.targets}
        onTarget={(column, target) => {
          const targets = withTarget(settings.targets, column, target)
          // The file's value for each row counts.
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

function withTarget(targets: readonly ImportTarget[], column: number, chosen: ImportTarget): ImportTarget[] {
  const isSingle = singleTargets.some((single) => single === chosen)
  return targets.map((target, index) => {
    if (index === column) return chosen
    return isSingle && target === chosen ? 'ignore' : target
  })
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

/** Consent given per row by a column, or for all rows by the importing member. */
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
