/** A variable font as a layout carries it: boxes, the heavier the thicker, the wider the wider. */
export const VARIABLE_FONT = {
  family: 'own-variable',
  name: 'Tuckbox Test Variable',
  url: '/testing/tuckbox-test-variable.ttf',
  weight: 400,
  italic: false,
  axes: [
    { tag: 'wght', min: 100, default: 400, max: 900 },
    { tag: 'wdth', min: 75, default: 100, max: 125 },
  ],
};
