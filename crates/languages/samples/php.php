<?php
declare(strict_types=1);

namespace App\Model;

use App\{Base, Other as Alias};
use function strlen;

interface HasName { public const MAX = 3; public function name(): string; }

#[Attribute]
abstract class User extends Base implements HasName
{
    use Loggable;
    private static ?int $count = null;

    public function __construct(protected readonly string $name, private array|int $tags = []) {}

    final public function name(): string { return "{$this->name} $this->name[0] \n"; }

    public static function make(string ...$names): iterable
    {
        foreach ($names as $i => &$name) {
            if (!isset($name) || strlen($name) === 0) {
                continue;
            } elseif ($i % 2 == 0) {
                yield $i => new static($name, tags: [1, 'k' => 2]);
            } else {
                throw new \RuntimeException('bad' . $name);
            }
        }
    }
}

enum Suit: string { case Hearts = 'H'; case Spades = 'S'; }

$square = fn(int $x): int => $x ** 2;
$add = function ($a, &$b) use ($square) { return $a <=> $b; };
try {
    switch ($argc) { case 1: echo 'one'; break; default: print(<<<EOT
        some {$argv[0]} text
        EOT); }
    $kind = match (true) { $argc > 3, $argc < 0 => 'odd', default => 'even' };
} catch (\TypeError | \ValueError $e) {
    exit(1);
} finally {
    [$a, ['k' => $b]] = [1, ['k' => (float) '2.5']];
}
for ($i = 0; $i < 10; $i++): echo $i; endfor;
while ($i-- > 0) { do { $x?->y()?->z; } while (false); }
?>
<p><?= $title ?? 'none' ?></p>
