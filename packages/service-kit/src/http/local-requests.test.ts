import { expect, test } from 'vitest'
import { isLocalRequest } from './local-requests.ts'

test.each([
  { host: '127.0.0.1:3004' },
  { host: '[::1]:3004' },
  { host: 'localhost:3004' },
  { host: 'phones.localhost' },
  { host: 'simulator:3000' },
  { host: 'host.docker.internal:1080' },
  { host: '127.0.0.1:3004', origin: 'http://127.0.0.1:3004' },
  { host: 'LOCALHOST:3004', origin: 'http://localhost:3004' },
])('$host with the origin $origin is local', (headers) => {
  expect(isLocalRequest(headers)).toBe(true)
})

test.each([
  { host: 'rebound.example.com:3004' },
  { host: 'localhost.example.com' },
  { host: '127.0.0.1.example.com' },
  { host: '' },
  { host: 'a b' },
  { host: '127.0.0.1:3004', origin: 'https://example.com' },
  { host: '127.0.0.1:3004', origin: 'http://127.0.0.1:3005' },
  { host: '127.0.0.1:3004', origin: 'null' },
])('$host with the origin $origin is not', (headers) => {
  expect(isLocalRequest(headers)).toBe(false)
})
