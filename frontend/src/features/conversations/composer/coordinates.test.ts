import { expect, test } from 'vitest'
import { coordinatesOf } from './place-dialog.tsx'

test.each<[string, [number, number] | undefined]>([
  ['18.92198, 72.83465', [18.92198, 72.83465]],
  ['(-33.8568; 151.2153)', [-33.8568, 151.2153]],
  ['48.8584 2.2945', [48.8584, 2.2945]],
  [
    'https://www.google.com/maps/place/Gateway/@18.9,72.8,17z/data=!3m1!4b1!4m6!3m5!1s0x0!8m2!3d18.92198!4d72.83465',
    [18.92198, 72.83465],
  ],
  ['https://www.google.com/maps/@18.9,72.8,17z', [18.9, 72.8]],
  ['https://maps.google.com/?q=18.92198,72.83465', [18.92198, 72.83465]],
  ['https://www.google.com/maps/search/?api=1&query=18.92198%2C72.83465', [18.92198, 72.83465]],
  ['https://maps.apple.com/?ll=18.92198,72.83465&q=Gateway', [18.92198, 72.83465]],
  ['https://www.openstreetmap.org/?mlat=18.92198&mlon=72.83465#map=17/18.9/72.8', [18.92198, 72.83465]],
  ['https://www.openstreetmap.org/#map=17/18.9/72.8', [18.9, 72.8]],
  ['geo:18.92198,72.83465', [18.92198, 72.83465]],
  // A short link holds no coordinates, and a latitude ends at the poles.
  ['https://maps.app.goo.gl/abc', undefined],
  ['118.9, 72.8', undefined],
  ['100%, 5', undefined],
  ['', undefined],
])('%s', (text, expected) => {
  const found = coordinatesOf(text)
  expect(found && [found.latitude, found.longitude]).toEqual(expected)
})
