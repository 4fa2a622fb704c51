@file:JvmName("Shapes")

package org.example.shapes

import kotlin.math.PI
import org.example.Base as Root

/** A shape. */
sealed interface Shape { val area: Double }

data class Circle(val radius: Double = 1.0) : Shape {
    override val area: Double get() = PI * radius * radius
}

enum class Colour(val rgb: Int) { RED(0xFF0000), GREEN(0x00FF00); fun hex() = rgb.toString(16) }

abstract class Store<in K : Any, out V>(private var count: Int, vararg names: String) : Root(count) {
    companion object { const val LIMIT = 1_000L }
    init { require(count >= 0) { "bad $count and ${names.size}" } }
    var size: Int = 0
        private set
    lateinit var name: String
    val lazyName by lazy { "x" }
    abstract suspend fun load(key: K): V?
    inline fun <reified T> all(block: (T) -> Unit) where T : Any { }
}

fun String.shout(times: Int = 2): String = this.uppercase().repeat(times)

fun main(args: Array<String>) {
    val (a, _) = 1 to 'c'
    val list = listOf(1, 2, 3).filter { it % 2 == 0 }.map { x -> x * 2.5f }
    for (i in 0 until 10 step 2) {
        if (i == 3 || i !in list.indices) continue
        val kind = when (i) {
            0, 1 -> "few"
            in 2..5 -> "some"
            is Int -> { "many" }
            else -> null
        }
        println(kind?.length ?: -1)
    }
    var n = 3
    while (n-- > 0) { do { n += 1 } while (n < 0) }
    try { throw IllegalStateException("""raw "text" """) } catch (e: Exception) { println(e as Throwable) } finally { }
    val anonymous = object : Shape { override val area = 0.0 }
    val f: (Int) -> Int = fun(x: Int): Int { return x shl 1 }
    args.forEach(::println)
}
