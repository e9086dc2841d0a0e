import { Button, Checkbox, Radio, Select } from 'antd'
import { useId, useMemo } from 'react'
import { countryOptions, matchesCountry } from '../../../lib/mobile.ts'
import { popupInside } from '../../../ui/popup-inside.ts'
import { TagSelect } from '../edit/tag-select.tsx'
import { type Column, type Target, targets } from './columns.ts'
import styles from './map-step.module.css'
import type { OpenedFile } from './open-file.ts'
import type { ImportFlow } from './use-import.ts'

const targetNames: Record<Target, string> = {
  name: 'Name',
  phone: 'Phone',
  tags: 'Tags',
  attribute: 'Detail',
  ignore: 'Leave out',
}
const delimiterNames: Record<OpenedFile['delimiter'], string> = { ',': 'commas', ';': 'semicolons', '\t': 'tabs' }
const encodingNames: Record<OpenedFile['encoding'], string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
  'windows-1252': 'Windows-1252',
}

/** Which column becomes what, and how the rows are read. */
export function MapStep({ flow, problem }: { flow: ImportFlow; problem: string | undefined }) {
  const { settings, opened, file } = flow
  if (!settings || !opened || !file) return null
  const { columns } = settings
  const setTarget = (place: number, target: Target) =>
    flow.change({
      columns: columns.map((column, index) => {
        if (index === place) return { ...column, target }
        // There is one phone number and one list of tags.
        const isTaken = column.target === target && (target === 'phone' || target === 'tags')
        return isTaken ? { ...column, target: 'ignore' } : column
      }),
    })
  const missing = (['name', 'phone'] as const).filter((target) => !columns.some((column) => column.target === target))
  return (
    <div className={styles['step']}>
      <p className={styles['quiet']}>
        <bdi>{file.name}</bdi> · {encodingNames[opened.encoding]}, separated by {delimiterNames[opened.delimiter]}
      </p>
      {opened.encoding === 'windows-1252' && (
        <p className={styles['notice']}>
          The file is not UTF-8, so it was read as Windows-1252. Check the names below: if any letters look wrong, save
          the file as UTF-8 and choose it again.
        </p>
      )}
      <Checkbox checked={settings.withHeader} onChange={({ target }) => flow.setHeader(target.checked)}>
        The first row contains the column names
      </Checkbox>
      <Columns columns={columns} onTarget={setTarget} />
      <Options flow={flow} settings={settings} />
      {(problem ?? missing.length > 0) && (
        <p className={styles['problem']} role="alert">
          {problem ??
            `Choose the column for the ${missing.map((target) => (target === 'name' ? 'name' : 'phone number')).join(' and the column for the ')}.`}
        </p>
      )}
      <div className={styles['foot']}>
        <Button type="primary" disabled={missing.length > 0} onClick={() => void flow.check()}>
          Check the file
        </Button>
        <Button onClick={flow.startAnew}>Choose another file</Button>
      </div>
    </div>
  )
}

function Columns({
  columns,
  onTarget,
}: {
  columns: readonly Column[]
  onTarget: (place: number, target: Target) => void
}) {
  const options = targets.map((target) => ({ value: target, label: targetNames[target] }))
  return (
    <ul className={styles['columns']} aria-label="Columns">
      {columns.map(({ header, samples, target }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place in the file; headers may repeat.
        <li key={place} className={styles['column']} data-ignored={target === 'ignore'}>
          <span className={styles['from']}>
            <b dir="auto">{header}</b>
            <span className={styles['samples']} dir="auto">
              {samples.join(' · ') || 'Empty'}
            </span>
          </span>
          <Select
            aria-label={`Import ${header} as`}
            className={styles['target'] ?? ''}
            value={target}
            options={options}
            onChange={(chosen) => onTarget(place, chosen)}
            getPopupContainer={popupInside}
          />
        </li>
      ))}
    </ul>
  )
}

function Options({ flow, settings }: { flow: ImportFlow; settings: NonNullable<ImportFlow['settings']> }) {
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
          onChange={(country) => flow.change({ country })}
          showSearch={{ filterOption: (search, option) => option !== undefined && matchesCountry(search, option) }}
          getPopupContainer={popupInside}
        />
      </div>
      <div className={styles['option']}>
        <label htmlFor={`${id}-tags`}>Tag everyone in this file (optional)</label>
        <TagSelect id={`${id}-tags`} value={settings.tags} onChange={(tags) => flow.change({ tags })} />
      </div>
      <fieldset className={styles['option']}>
        <legend>Existing contacts</legend>
        <Radio.Group
          name={`${id}-duplicates`}
          value={settings.onDuplicate}
          onChange={({ target }) => flow.change({ onDuplicate: target.value === 'skip' ? 'skip' : 'update' })}
          options={[
            { value: 'update', label: 'Update them' },
            { value: 'skip', label: 'Skip them' },
          ]}
        />
      </fieldset>
    </div>
  )
}
