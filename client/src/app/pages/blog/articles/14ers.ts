export default `
There are mountains in Colorado that rise above fourteen thousand feet, and people there call them fourteeners. They make a wonderful deck of cards: each has a name, a range, a height that everybody argues about, and a personality. This article is about turning facts like these into a game, with the mountains as an example; birds, bridges, battles and recipes work the same way.

{figure:mountains}

## Why facts make good cards

A made-up card has to be explained. A mountain does not: higher is higher. That gives you the simplest possible trick-taking or top-trumps game for nothing, and players learn something by accident. It also gives you a discipline that invented cards lack. You cannot tune Longs Peak until it is balanced. You have to find rules under which the world, as it is, makes a good game, and such rules tend to be short.

## Begin with the table, not with the picture

Collect first. For each mountain: name, height, range, difficulty of the easiest route, year of the first recorded climb, and one sentence that a friend would tell you about it. Keep to what you can find for *every* mountain. A column that is empty for a third of the cards is not a statistic but a footnote.

| Name | Height | Range | Class | Remark |
| Mount Elbert | 14,440 ft | Sawatch Range | 1 | The highest, and one of the gentlest walks. |
| Longs Peak | 14,259 ft | Front Range | 3 | Start at three in the morning. Everybody does. |
| Pikes Peak | 14,115 ft | Front Range | 1 | There is a railway, and doughnuts at the top. |

Sort the table by each column in turn and look at the ends. If one mountain is best at everything, it will win every trick, and the game is over when it is dealt. The heights above lie within three per cent of each other, while the classes go from a stroll to a climb with your hands: so the class should matter more than the height, or the two should pull in opposite directions. A rule such as “the higher mountain wins, unless the other one is harder” came straight out of looking at the sorted table.

## Give every number its own place and its own voice

On these cards the height is the largest thing, in tall narrow letters, at the top left. That is where it shows when the cards are held in a fan, and most people fan so that the top left corner is what they see. The name is below, in letters with serifs, because a name is read once while a number is compared all the time.

Use **tabular figures or a narrow face** for numbers that are compared, and always the same number of digits. Write *9,840* and not *9.84k*. If a unit is the same on all cards, it can be small; if it differs, it must be as large as the number.

## Draw the difference

There are no photographs on these cards, only triangles. The width of the triangle is the real steepness: Longs Peak is narrow, Pikes Peak is broad. Each card took ten seconds, and the deck looks as if somebody had thought about it. With a picture per card you would need fifty-eight pictures before you could play; with one drawing that follows the data, you can play tonight.

This works for more than mountains. Bridges can be drawn by their span, birds by the shape of their wings, recipes by a ring of coloured segments. Ask which number of the table could be *seen* instead of read, and draw that.

## Check the facts twice, and say where they are from

Heights change when they are measured again. Put the source and the year into a column of its own, even if it does not appear on the card, and print it in the rules. When somebody tells you that your figure is wrong, and somebody will, you can look it up and mend one cell. Facts themselves belong to nobody, but photographs, maps and descriptions do: draw your own, and write your own remark.

## Three games for one deck

**Summit.** Deal all cards. The leader names height, class or year, and everybody plays one card. The best takes the trick and leads. Four minutes, works with children.

**Ridge walk.** Lay out a row of five mountains. Add yours to either end so that heights rise or fall by less than a hundred feet, or take the row into your pile. The player with the smallest pile wins.

**Weather window.** Everybody picks three mountains in secret. Turn over weather cards one by one: each closes a range or a class. Those left standing when the sun comes out score their height. This needs twelve more cards, which are twelve more rows with another colour in the colour column.

You can try all three with the same printed sheets, and that is the real reason to build a deck of facts first: the cards are paid for, and games are free.

When you have your own table, [import it](/decks) and let the columns place themselves. Then draw your first triangle.
`;
