/** A card list to try things with: eight creatures of a small game of our own. */
const ROWS = [
  'Name,Cost,Type,Rules,Strength,Copies',
  'Moss Fox,1,Forest,Draw a card when it leaves the table.,1,3',
  'Reed Heron,2,Water,Looks at the top card of any deck.,2,2',
  'Lantern Moth,1,Night,Cannot be seen by creatures of strength 3 and more.,1,4',
  'Hill Badger,3,Earth,Takes no damage in its first round.,4,2',
  'Storm Gull,2,Air,Moves twice in a turn.,2,3',
  'Old Pike,4,Water,Returns to your hand when it is beaten.,5,1',
  'Ember Newt,2,Fire,"Burn it: deal 2 damage, then discard it.",1,3',
  'Night Stag,5,Forest,All your other creatures gain 1 strength.,6,1',
];

/** The sample list as a file that was chosen. */
export const sampleList = (): File =>
  new File([`${ROWS.join('\r\n')}\r\n`], 'Creatures.csv', { type: 'text/csv' });
