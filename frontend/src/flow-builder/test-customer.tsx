import UserOutlined from '@ant-design/icons/UserOutlined'
import type { Person } from '@parley/flow/state'
import { Button, Input, Popover, Select } from 'antd'
import { useId } from 'react'
import { useChoices } from './builder-context.ts'
import styles from './inspector.module.css'

/** Shows and changes the customer with whom a draft is tried out: conditions and variables read them. */
export function Customer({ person, onChange }: { person: Person; onChange: (person: Person) => void }) {
  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      content={<CustomerForm person={person} onChange={onChange} />}
      destroyOnHidden
    >
      <Button icon={<UserOutlined aria-hidden />}>Customer</Button>
    </Popover>
  )
}

const maxFields = 20

function CustomerForm({ person, onChange }: { person: Person; onChange: (person: Person) => void }) {
  const id = useId()
  const { tags, attributes } = useChoices()
  const names = [...new Set([...attributes.map(({ name }) => name), ...Object.keys(person.attributes)])]
  return (
    <div className={styles['form']}>
      <div className={styles['lead']}>
        <label htmlFor={`${id}-name`}>Name</label>
        <Input
          id={`${id}-name`}
          value={person.name}
          maxLength={120}
          dir="auto"
          autoComplete="off"
          onChange={({ target }) => onChange({ ...person, name: target.value })}
        />
      </div>
      <div className={styles['lead']}>
        <label htmlFor={`${id}-tags`}>Tags</label>
        <Select
          id={`${id}-tags`}
          mode="tags"
          value={[...person.tags]}
          options={tags.map((value) => ({ value }))}
          onChange={(next: string[]) => onChange({ ...person, tags: next })}
        />
      </div>
      {names.slice(0, maxFields).map((name) => (
        <div key={name} className={styles['lead']}>
          <label htmlFor={`${id}-${name}`} dir="auto">
            {attributes.find((one) => one.name === name)?.label ?? name}
          </label>
          <Input
            id={`${id}-${name}`}
            value={person.attributes[name] ?? ''}
            maxLength={1000}
            dir="auto"
            autoComplete="off"
            onChange={({ target }) =>
              onChange({ ...person, attributes: { ...person.attributes, [name]: target.value } })
            }
          />
        </div>
      ))}
    </div>
  )
}
