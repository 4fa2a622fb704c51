#nullable enable
using System;
using static System.Math;
using Text = System.Text.StringBuilder;

[assembly: CLSCompliant(true)]

namespace Example.Shapes
{
    /// <summary>A shape.</summary>
    public interface IShape<out T> where T : struct, IComparable<T> { T Area { get; } }

    public readonly record struct Point(int X, int Y = 0);

    [Flags]
    internal enum Mode : byte { None = 0, Fast = 1 << 0, All = ~0 }

    public abstract partial class Store<K, V> : IDisposable, IShape<double> where K : notnull
    {
        private static readonly int[] limits = { 1, 0x1F, 1_000 };
        public event EventHandler<string>? Changed;
        public double Area { get; protected set; } = 1.5e3;
        public V this[K key] => throw new NotImplementedException(nameof(key));
        protected Store(string name) : base() { this.name = name ?? "none"; }
        public static Store<K, V> operator +(Store<K, V> a, V b) => a;
        public delegate int Order(in K a, ref K b, out V c, params V[] rest);

        public async Task<int> LoadAsync(string path, int count = 3)
        {
            await using var file = File.OpenRead(path);
            foreach (var (key, value) in items)
                if (value is Point { X: > 3 and < 10 } p && p.Y != 0) continue;
            for (int i = 0, j = 1; i < count; i++, j--) { limits[^1] = i; }
            try { checked { count += (int)Area; } }
            catch (IOException e) when (e.HResult != 0) { throw; }
            finally { lock (this) { Changed?.Invoke(this, $"{path,10:x} {count}"); } }
            var kind = count switch { 0 => "none", 1 or 2 => "few", _ => @"many ""x""" };
            switch (count) { case 1: break; case int n when n > 2: goto default; default: return -1; }
            Func<int, int> twice = x => x * 2;
            var query = from x in limits where x > 1 orderby x descending select new { x, y = x.ToString() };
            do { count--; } while (count > 0);
            return twice(limits.Length);
        }
        public void Dispose() { }
    }
}
