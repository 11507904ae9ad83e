export default `
*Jurassic Crisis* is a game that does not exist in any shop. It is the deck we build whenever we want to see whether a tool is any good: a dinosaur park, a storm, a fence that fails, and forty-eight cards with three very different kinds of content. It is small enough to finish on a Sunday and awkward enough to find every weak spot. This is how we make it, and what it teaches about building a deck in general.

{figure:jurassic}

## The game in five sentences

Two to five players run a park. Each turn you play a card: equipment stays in front of you, visitors score when they leave happy, and alarms have to be dealt with before the round ends. Predators move one paddock towards the visitors for every alarm left over. A generator can be thrown away to ignore an alarm, so everybody hoards generators and hopes that somebody else will give one up. When the storm card comes up for the third time, whoever has the most happy visitors wins, unless a predator has reached the gate, in which case nobody does.

That is a semi-cooperative game with one simple tension, which makes it a good thing to prototype: if the tension is not there in the first ten minutes, no picture will save it.

## Three kinds of cards, one layout

The tempting way is to draw three layouts: alarms in red, equipment in grey, visitors in green. Then you move the title by a millimetre and have to do it three times, and by the fourth change the three have drifted apart.

Instead, there is one layout with a band across the top. The **colour of the band is a column of the table**. So is the word in small capitals under the picture. The cost disc is there for all of them; visitors have a zero in it, which turns out to be a rule worth having, since it tells players at a glance that visitors are always playable.

| Name | Kind | Colour | Cost | Rule | Copies |
| Fence Down | Alarm | #3d6b3a | 3 | Move the nearest **predator** one paddock … | 6 |
| Generator | Equipment | #5a5f66 | 1 | Keep it in front of you. Discard it to … | 8 |
| School Class | Visitor | #8a6a1f | 0 | Worth 3 if nobody screams this round. | 4 |

Everything that differs between cards is in the table, and everything that is the same is in the layout. When a playtester says that the text is too small, that is one change in one place. When they say that there are too many generators, that is one digit in the column of copies.

## Write rules the way they are spoken

The first version of *Fence Down* said: “The active player must advance the predator pawn closest to any visitor by one space.” Nobody talks like that at a table. The second version says: “Move the nearest predator one paddock towards the visitors.” It is shorter by a third, and it uses the words that are printed on the board.

Three habits help:

- **Verbs first.** Move, draw, discard, keep. A card is an order, not a report.
- **One thing, one name.** If it is called a paddock once, it is never called a space, an area or a pen.
- **Bold for what the eye looks for.** In a hand of five cards, players scan for the word *alarm*. Make it bold on every card, and on nothing else.

In the table, \`**predator**\` becomes bold, \`*generator*\` becomes italic, and a slash between two spaces starts a new paragraph. There is no need to leave the spreadsheet to set type.

## Let the text shrink, but not far

The longest card in the deck has four times as many words as the shortest. If you set the type for the longest, the short ones look lost; set it for the shortest, and the long ones run out of the box. A text zone in Tuckbox can shrink what is too long down to a size you allow. Allow little: from ten points to eight and a half is invisible, from ten to six shouts that the card has too many words. The editor warns you when even the smallest size is not enough. Treat the warning as an editor’s red pencil, not as a request for smaller type.

## What the first test showed

We printed the deck on office paper, slid it into sleeves with old playing cards, and played four rounds. The notes fit on one side of a sheet:

- Nobody discarded a generator in the first game. They cost one and an alarm costs three, so keeping them was always right. They now cost nothing, and there are eight instead of six.
- The storm came up twice in the first five cards. It is now shuffled into the lower half of the deck, which is a sentence in the rules and no change to any card.
- Two players could not tell dark green from dark grey in the evening. The words in small capitals saved them: **never let colour be the only difference**.

From the last note to the next printed version took eleven minutes, nine of which were the printer’s. That is the whole point of keeping the deck in a table.

## Build it yourself

Make a project, save the three rows above as a CSV file, and import it. Add twenty rows of your own. Your park will fail in different ways from ours, and you will find out which within an evening.
`;
